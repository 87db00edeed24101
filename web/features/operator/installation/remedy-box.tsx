import { ExternalLink } from 'lucide-react'
import type { Remedy } from '#contract/operator/health.ts'
import { CopyButton } from '#web/ui/form/copy-button.tsx'

/** What mends a fault, to be copied. */
export function RemedyBox({ remedy }: { remedy: Remedy }) {
  if (remedy.kind === 'page') return <PageLink url={remedy.text} />
  const parts =
    remedy.kind === 'record'
      ? [
          { term: 'Name', text: remedy.name },
          { term: 'Type', text: remedy.type },
          { term: 'Value', text: remedy.value },
        ]
      : [{ term: terms[remedy.kind], text: remedy.text }]
  return (
    <dl className="mt-1.5 grid gap-y-1 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
      {parts.map(({ term, text }) => (
        <div key={term} className="flex items-start gap-2 sm:gap-3">
          <dt className="w-15 shrink-0 sm:w-16 py-1.5 text-soft text-xs">{term}</dt>
          <dd className="wrap-anywhere min-w-0 flex-1 select-all whitespace-pre-wrap py-1.5 font-mono text-xs">
            {text}
          </dd>
          {/* A type is chosen from a list. */}
          {term !== 'Type' && (
            <dd className="shrink-0">
              <CopyButton text={text} label={`Copy ${term.toLowerCase()}: ${firstLine(text)}`} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

const terms = { command: 'Command', setting: 'Settings' } as const

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

function PageLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex min-h-6 items-center gap-1.5 justify-self-start font-medium text-accent-ink text-sm hover:underline"
    >
      {new URL(url).hostname}
      <ExternalLink className="size-3.5" aria-hidden />
    </a>
  )
}
