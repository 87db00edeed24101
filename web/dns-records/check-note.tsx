import type { DnsRecord } from '#contract/domains.ts'
import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/use-now.ts'

type CheckNoteProps = {
  records: readonly DnsRecord[]
  domainName: string
  isChecking: boolean
}

/** When DNS was last asked and when it will be again; while it is being asked, that. */
export function CheckNote({ records, domainName, isChecking }: CheckNoteProps) {
  const now = useNow(5000)
  const checked = records.map((record) => record.checkedAt).filter((at) => at !== null)
  const next = records
    .filter((record) => record.isVerified !== true)
    .map((record) => record.nextCheckAt)
    .filter((at) => at !== null)
  const last = checked.toSorted().at(-1)
  const soonest = next.toSorted()[0]
  return (
    <>
      <p role="status">{isChecking ? `Asking the name servers of ${domainName}...` : ''}</p>
      {!isChecking && last && (
        <p>
          <time dateTime={last} title={formatMoment(last)}>
            Last checked {agoOf(last, now)}.
          </time>{' '}
          {soonest && new Date(soonest).getTime() > now && (
            <>Checked again {formatAgo(soonest, now)}.</>
          )}
        </p>
      )}
      {!isChecking && !last && <p>Not checked yet.</p>}
    </>
  )
}

/** The clock of the server may be a little ahead of ours. */
const agoOf = (iso: string, now: number) =>
  now - new Date(iso).getTime() < 5000 ? 'just now' : formatAgo(iso, now)

/** A line that moves while DNS is being asked; keeps its place when it is not. */
export function CheckProgress({ isChecking }: { isChecking: boolean }) {
  return (
    <div aria-hidden className="relative h-0.5 overflow-hidden bg-transparent">
      {isChecking && <div className="absolute inset-y-0 w-1/3 animate-seek bg-accent" />}
    </div>
  )
}
