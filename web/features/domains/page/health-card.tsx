import { CircleCheck, Clock3, type LucideIcon, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { DnsRecord, Domain } from '#contract/domains.ts'
import { CheckNote, CheckProgress } from '#web/dns-records/check-note.tsx'
import { purposeNames } from '#web/dns-records/record-text.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatDate } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useVerifyDns, useVerifyOwnership } from '../wizard/use-records.ts'
import { type Health, type HealthStep, healthOf, type Known } from './health.ts'

const looks: Record<Health['tone'], { icon: LucideIcon; text: string; wash: string }> = {
  good: { icon: CircleCheck, text: 'text-good', wash: 'bg-good-wash' },
  warn: { icon: Clock3, text: 'text-warn', wash: 'bg-warn-wash' },
  bad: { icon: TriangleAlert, text: 'text-bad', wash: 'bg-bad-wash' },
}

/** The first thing on the page of a domain: how it is, and what to do. */
export function HealthCard(known: Known) {
  const { domain, ownership, records } = known
  const health = healthOf(known)
  const { icon: Icon, text, wash } = looks[health.tone]
  const { check, isChecking } = useCheck(domain)
  const canManage = useCan('manage-domains')
  return (
    <Card className="overflow-hidden">
      <section aria-label="Health">
        <div className="grid gap-3 p-5 sm:gap-1 sm:px-6">
          <div className="flex items-center gap-3 sm:gap-4">
            <span className={cn('grid size-10 shrink-0 place-items-center rounded-xl', wash, text)}>
              <Icon className="size-5" aria-hidden />
            </span>
            <h2 className="wrap-anywhere font-semibold text-lg tracking-tight">{health.title}</h2>
          </div>
          <div className="grid gap-3 sm:pl-14">
            <p className="wrap-anywhere max-w-3xl text-pretty text-soft text-sm">{health.text}</p>
            {health.since && (
              <p className="text-soft text-xs">
                Since <LocalTime at={health.since} format={formatDate} />
              </p>
            )}
            {health.faults.length > 0 && <Faults records={health.faults} />}
          </div>
        </div>
        <CheckProgress isChecking={isChecking} />
        <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t bg-sunken px-5 py-3.5 sm:px-6">
          <div className="min-w-0 flex-1 basis-56 text-soft text-xs max-sm:[&>p:last-child]:min-h-8">
            <CheckNote
              records={[ownership, ...records]}
              domainName={domain.unicodeName}
              isChecking={isChecking}
              hasLater
            />
          </div>
          <div className="ml-auto flex flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
            <Button
              variant={health.next === null && health.tone === 'bad' ? 'primary' : 'secondary'}
              disabled={!canManage}
              isPending={isChecking}
              onClick={check}
            >
              {isChecking ? 'Verifying...' : 'Verify now'}
            </Button>
            {health.next && <NextStep domain={domain} step={health.next} />}
          </div>
        </footer>
      </section>
    </Card>
  )
}

/** Before it is proven, the ownership record alone can be looked up. */
function useCheck({ _id: id, isVerified }: Domain) {
  const dns = useVerifyDns(id)
  const ownership = useVerifyOwnership(id)
  const { mutate, isPending } = isVerified ? dns : ownership
  return { check: () => mutate({ params: { id } }), isChecking: isPending }
}

function Faults({ records }: { records: readonly DnsRecord[] }) {
  return (
    <ul aria-label="What is wrong" className="grid gap-2.5 border-line border-t pt-3">
      {records.map(({ purpose, explanation }) => (
        <li key={purpose} className="wrap-anywhere max-w-3xl text-pretty text-sm">
          <span className="font-medium">{purposeNames[purpose]}:</span>{' '}
          {explanation || 'Not in DNS yet.'}
        </li>
      ))}
    </ul>
  )
}

function NextStep({ domain, step }: { domain: Domain; step: HealthStep }) {
  return (
    <Button asChild>
      {step.kind === 'mailbox' ? (
        <Link to={paths.newMailbox({ domain: domain.name })}>{step.text}</Link>
      ) : (
        <Link to={paths.addDomain({ id: domain._id })} state={{ step: step.step }}>
          {step.text}
        </Link>
      )}
    </Button>
  )
}
