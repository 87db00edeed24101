import { Link } from 'react-router'
import type { DnsSetting } from '#contract/dns/setting.ts'
import { type DnsRecord, type Domain, recordStatus } from '#contract/domains.ts'
import { ProviderLink } from '#web/dns-records/record-advice.tsx'
import { purposeNames, purposes, toneOf } from '#web/dns-records/record-text.ts'
import { UncheckedNote, uncheckedOf } from '#web/dns-records/unchecked.tsx'
import { formatDate } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { SendLinkButton } from '../dns-link/send-link.tsx'
import { SandboxLink } from '../sandbox-link.tsx'
import { RecordChanges } from '../wizard/record-history.tsx'
import { VERIFY_DNS, VERIFY_DOMAIN } from '../wizard/step-panel.tsx'
import { requiredOf } from '../wizard/use-records.ts'

type RecordsCardProps = {
  domain: Domain
  ownership: DnsRecord
  records: readonly DnsRecord[]
  setting: DnsSetting | null | undefined
}

/** The purpose and state of each record; the wizard shows the values. */
export function RecordsCard({ domain, ownership, records, setting }: RecordsCardProps) {
  const required = [ownership, ...requiredOf(records)]
  const verified = required.filter(({ isVerified }) => isVerified === true).length
  const step = domain.isVerified ? VERIFY_DNS : VERIFY_DOMAIN
  return (
    <Card className="overflow-hidden">
      <section aria-label="DNS records">
        <CardHeader
          title="DNS records"
          description={`${verified} of ${required.length} required records verified`}
          aside={
            <Button variant="secondary" size="small" asChild>
              <Link to={paths.addDomain({ id: domain._id })} state={{ step }}>
                See the values
              </Link>
            </Button>
          }
        />
        <ul className="divide-y divide-line border-line border-t">
          {[ownership, ...records].map((record) => (
            <RecordRow key={record.purpose} record={record} />
          ))}
        </ul>
        <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-5 py-3.5 text-sm">
          <SendLinkButton domain={domain} size="small" />
          <SandboxLink id={domain._id} step={step} size="small" />
          {setting?.provider && <ProviderLink provider={setting.provider} />}
        </footer>
      </section>
    </Card>
  )
}

function RecordRow({ record }: { record: DnsRecord }) {
  const { purpose, type, isVerified, changedAt, explanation, uncheckedSince } = record
  const unchecked = uncheckedOf([record])
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-0.5 px-5 py-3 text-sm">
      <p className="font-medium">
        {purposeNames[purpose]}{' '}
        {type !== purposeNames[purpose] && (
          <span className="font-normal text-soft text-xs">{type}</span>
        )}
      </p>
      <Status
        // What could not be looked up is not green, whatever its last answer was.
        tone={uncheckedSince === null ? toneOf(record) : 'neutral'}
        className="justify-self-end"
      >
        {recordStatus(isVerified)}
      </Status>
      <p className="text-pretty text-soft max-sm:col-span-2">{purposes[purpose]}</p>
      {changedAt && (
        <p className="whitespace-nowrap text-soft text-xs leading-5 max-sm:col-span-2 sm:text-right">
          since <LocalTime at={changedAt} format={formatDate} />
        </p>
      )}
      {unchecked && (
        <div className="col-span-2">
          <UncheckedNote unchecked={unchecked} />
        </div>
      )}
      {!unchecked && isVerified === true && explanation && (
        <p className="wrap-anywhere col-span-2 text-pretty text-soft text-xs">{explanation}</p>
      )}
    </li>
  )
}

export const shownChanges = { limit: 5 }

/** The history of the records: each change that DNS showed. */
export function ActivityCard({ domain }: { domain: Domain }) {
  return (
    <Card className="overflow-hidden">
      <section aria-label="Activity">
        <CardHeader title="Activity" description="How its DNS records changed, newest first" />
        <div className="px-5 pb-5 text-sm">
          <RecordChanges
            domainId={domain._id}
            first={shownChanges.limit}
            none="No record has changed since the domain was added."
          />
        </div>
      </section>
    </Card>
  )
}
