import type { DnsRecord } from '#contract/domains.ts'
import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

type CheckNoteProps = {
  records: readonly DnsRecord[]
  domainName: string
  isChecking: boolean
  /** Says when what is verified will be looked at again, too. */
  hasLater?: boolean
}

/** When DNS was last asked and when it will be again; while it is being asked, that. */
export function CheckNote({ records, domainName, isChecking, hasLater }: CheckNoteProps) {
  const now = useClock(1000)
  const last = lastCheck(records)
  const next = nextCheck(records) ?? (hasLater ? earliestCheck(records) : undefined)
  return (
    <>
      <p role="status">{isChecking ? `Asking the name servers of ${domainName}...` : ''}</p>
      {!isChecking && last && (
        <p className="min-h-4 tabular-nums">
          {now !== null && (
            <>
              <time dateTime={last} title={formatMoment(last)}>
                Last checked {agoOf(last, now)}.
              </time>{' '}
              {next && <time dateTime={next}>Checked again {soonOf(next, now)}.</time>}
            </>
          )}
        </p>
      )}
      {!isChecking && !last && <p>Not checked yet.</p>}
    </>
  )
}

/**
 * The time for what is counted down; nothing in what the server draws, whose moment is past when the browser takes it over.
 * Milliseconds; null while there is no browser to count in.
 */
export function useClock(everyMs: number): number | null {
  const now = useNow(everyMs)
  const isCounting = useInBrowser(() => true, false)
  return isCounting ? now : null
}

const lastCheck = (records: readonly DnsRecord[]): string | undefined =>
  records
    .flatMap(({ checkedAt }) => checkedAt ?? [])
    .toSorted()
    .at(-1)

/** What is verified needs no next check to wait for. */
export const nextCheck = (records: readonly DnsRecord[]): string | undefined =>
  earliestCheck(records.filter(({ isVerified }) => isVerified !== true))

const earliestCheck = (records: readonly DnsRecord[]): string | undefined =>
  records.flatMap(({ nextCheckAt }) => nextCheckAt ?? []).toSorted()[0]

/** The clock of the server may be a little ahead of ours. */
const agoOf = (iso: string, now: number) =>
  now - new Date(iso).getTime() < 5000 ? 'just now' : formatAgo(iso, now)

const soonOf = (iso: string, now: number) =>
  new Date(iso).getTime() - now < 1000 ? 'any moment' : formatAgo(iso, now)

/** A line that moves while DNS is being asked; keeps its place when it is not. */
export function CheckProgress({ isChecking }: { isChecking: boolean }) {
  return (
    <div aria-hidden className="relative h-0.5 overflow-hidden bg-transparent">
      {isChecking && <div className="absolute inset-y-0 w-1/3 animate-seek bg-accent" />}
    </div>
  )
}
