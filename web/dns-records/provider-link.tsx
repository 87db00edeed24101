import { ExternalLink } from 'lucide-react'
import type { DnsProvider } from '#contract/dns/setting.ts'

/** To the page of the provider where records are edited. */
export function ProviderLink({ provider }: { provider: DnsProvider }) {
  return (
    <a
      href={provider.url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex min-h-6 items-center gap-1 whitespace-nowrap font-medium text-accent-ink text-sm underline-offset-4 hover:underline"
    >
      Open DNS at {provider.name}
      <ExternalLink className="size-3.5" aria-hidden />
      <span className="sr-only">(new tab)</span>
    </a>
  )
}
