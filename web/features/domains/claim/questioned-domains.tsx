/** Above the list of domains: those that may be lost, that are claimed, and that went lately. */
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type DomainOwnership, listOwnership, type ReleasedDomain } from '#contract/dns/claims.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { questionOf, releaseOf } from './question-words.ts'

/**
 * Nothing when nothing is in question. What stands below waits until that is known, and jumps no more; it does not wait
 * for what cannot be read.
 */
export function QuestionedDomains({ children }: { children: ReactNode }) {
  const { data, isPending, isFetching } = useApi(
    listOwnership,
    {},
    { enabled: useMay('see-domains') },
  )
  if (isPending && isFetching) return null
  return (
    <>
      {data && data.domains.length + data.released.length > 0 && <OwnershipCard {...data} />}
      {children}
    </>
  )
}

type OwnershipCardProps = { domains: DomainOwnership[]; released: ReleasedDomain[] }

function OwnershipCard({ domains, released }: OwnershipCardProps) {
  return (
    <Card className="overflow-hidden">
      <section aria-label="Ownership">
        <h2 className="px-5 pt-4 pb-2 font-semibold text-sm">Ownership</h2>
        <ul className="divide-y divide-line border-line border-t">
          {domains.map((ownership) => (
            <li key={ownership.domainId}>
              <Link
                to={paths.domain(ownership.domainId)}
                className="flex items-center gap-3 px-5 py-3 hover:bg-hover"
              >
                <Words name={ownership.unicodeName} text={questionOf(ownership)} />
                <ChevronRight className="size-4 shrink-0 text-soft" aria-hidden />
              </Link>
            </li>
          ))}
          {released.map((gone) => (
            <li key={gone._id} className="px-5 py-3">
              <Words name={gone.unicodeName} text={releaseOf(gone)} />
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}

function Words({ name, text }: { name: string; text: string }) {
  return (
    <span className="grid min-w-0 flex-1 gap-0.5">
      <span dir="auto" className="wrap-anywhere text-left font-medium text-sm">
        {name}
      </span>
      <span className="text-pretty text-sm text-soft">{text}</span>
    </span>
  )
}
