import { useState } from 'react'
import { listRecordChanges, type RecordChange } from '#contract/dns/setting.ts'
import {
  type DnsRecord,
  isVerifiedIn,
  type RecordPurpose,
  recordStatus,
} from '#contract/domains.ts'
import { useClock } from '#web/dns-records/check-note.tsx'
import { purposeNames, recordTones } from '#web/dns-records/record-text.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatMoment, formatPast } from '#web/lib/format.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

type RecordHistoryProps = { domainId: string; records: readonly DnsRecord[] }

/** When DNS last showed a change of these records, and the changes before; loaded when opened. */
export function RecordHistory({ domainId, records }: RecordHistoryProps) {
  const now = useClock(30_000)
  const changed = records.flatMap(({ changedAt }) => changedAt ?? []).toSorted()
  const last = changed.at(-1)
  if (last === undefined) return null
  const [only, ...others] = records
  return (
    <section aria-label="History" className="px-5 pt-2 pb-4 text-sm sm:px-6">
      <Disclosure
        className="-ml-1"
        label={
          <>
            Last changed{' '}
            {now !== null && (
              <time dateTime={last} title={formatMoment(last)}>
                {formatPast(last, now)}
              </time>
            )}
          </>
        }
      >
        <RecordChanges
          domainId={domainId}
          {...(only && others.length === 0 && { purpose: only.purpose })}
        />
      </Disclosure>
    </section>
  )
}

const MAX_CHANGES = 200

type RecordChangesProps = {
  domainId: string
  /** undefined: all records. */
  purpose?: RecordPurpose
  /** Number of changes shown before the user asks for older ones. */
  first?: number
  /** Text shown when there are no changes. */
  none?: string
}

/** Newest first. */
export function RecordChanges({ domainId, purpose, first = 20, none }: RecordChangesProps) {
  const [limit, setLimit] = useState(first)
  const changes = useApi(
    listRecordChanges,
    { params: { id: domainId }, query: { limit, ...(purpose && { purpose }) } },
    { placeholderData: (shown) => shown },
  )
  if (changes.isError && !changes.data)
    return (
      <div role="alert" className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-soft">
        The history could not be loaded.
        <Button variant="secondary" size="small" onClick={() => void changes.refetch()}>
          Try again
        </Button>
      </div>
    )
  if (!changes.data) return <Skeleton className="mt-2 h-12 w-full max-w-2xl" />
  if (changes.data.items.length === 0) return <p className="text-soft">{none}</p>
  return (
    <>
      <ol className="mt-2 grid max-w-3xl grid-cols-1 divide-y divide-line border-line border-y">
        {changes.data.items.map((change) => (
          <ChangeRow key={change._id} change={change} />
        ))}
      </ol>
      {changes.data.nextCursor !== null && limit < MAX_CHANGES && (
        <Button variant="quiet" size="small" className="mt-2" onClick={() => setLimit(MAX_CHANGES)}>
          Show older changes
        </Button>
      )}
    </>
  )
}

function ChangeRow({ change }: { change: RecordChange }) {
  const { purpose, at, from, to } = change
  return (
    <li className="grid gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div className="grid content-start">
        <span className="font-medium">{purposeNames[purpose]}</span>{' '}
        <time dateTime={at} className="text-soft text-xs tabular-nums">
          {formatMoment(at)}
        </time>
      </div>
      <div className="grid min-w-0 gap-1">
        <StateChange from={from.state} to={to.state} />
        {from.values.length > 0 && <Values label="Before" values={from.values} />}
        <Values label="Since then" values={to.values} />
      </div>
    </li>
  )
}

function StateChange({ from, to }: { from: DnsRecord['state']; to: DnsRecord['state'] }) {
  const [before, after] = [recordStatus(isVerifiedIn(from)), recordStatus(isVerifiedIn(to))]
  return (
    <p className="flex flex-wrap items-center gap-1.5">
      {before !== after && (
        <>
          <Status tone={recordTones[before]}>{before}</Status> <span className="text-soft">
            to
          </span>{' '}
        </>
      )}
      <Status tone={recordTones[after]}>{after}</Status>
      {before === after && <span className="text-soft text-xs">as before</span>}
    </p>
  )
}

function Values({ label, values }: { label: string; values: string[] }) {
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-2 text-xs">
      <span className="text-soft">{label}</span>{' '}
      {values.length === 0 ? (
        <span className="text-soft">Nothing found</span>
      ) : (
        <ul className="grid gap-0.5">
          {[...new Set(values)].map((value) => (
            <li key={value} title={value} className="wrap-anywhere line-clamp-2 font-mono">
              {value}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
