import { Globe, type LucideIcon, Mail, PenLine, ShieldCheck } from 'lucide-react'
import type { DnsSetting } from '#contract/dns/setting.ts'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { type Fact, factsIn } from './found-words.ts'

type FoundInDnsProps = {
  /** `undefined` while loading, null when it could not be loaded. */
  setting: DnsSetting | null | undefined
}

/** What DNS has already: who hosts the DNS and the mail of the domain, and its SPF and DMARC policy. */
export function FoundInDns({ setting }: FoundInDnsProps) {
  if (setting === null) return null
  return (
    <section aria-label="Found in DNS" className="grid gap-3 px-5 pt-5 pb-6 sm:px-6">
      <div className="grid gap-0.5">
        <h3 className="font-semibold text-sm">What we found</h3>
        <p className="text-soft text-sm">None of this changes until you change it.</p>
      </div>
      <dl
        aria-busy={setting === undefined}
        className="grid gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-2 xl:grid-cols-4"
      >
        {setting === undefined
          ? Object.keys(icons).map((kind) => (
              <div key={kind} className="grid content-start gap-2 bg-surface px-4 py-3.5">
                <Skeleton className="h-3 w-12" />
                <Skeleton className="h-4 w-32" />
                <Skeleton className="h-3 w-24" />
              </div>
            ))
          : factsIn(setting).map((fact) => <FactCell key={fact.kind} fact={fact} />)}
      </dl>
    </section>
  )
}

const icons: Record<Fact['kind'], LucideIcon> = {
  dns: Globe,
  mail: Mail,
  spf: PenLine,
  dmarc: ShieldCheck,
}

function FactCell({ fact: { kind, term, what, more } }: { fact: Fact }) {
  const Icon = icons[kind]
  return (
    <div className="grid content-start gap-0.5 bg-surface px-4 py-3.5">
      <dt className="flex items-center gap-1.5 text-soft text-xs">
        <Icon className="size-3.5" aria-hidden />
        {term}
      </dt>
      <dd className="wrap-anywhere font-medium text-sm">{what}</dd>
      {more && <dd className="wrap-anywhere text-soft text-xs">{more}</dd>}
    </div>
  )
}
