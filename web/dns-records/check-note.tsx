import type { DnsRecord } from '#contract/domains.ts'
import { formatDistance, formatMoment, formatPast } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { Button } from '#web/ui/form/button.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

type CheckNoteProps = {
  records: readonly DnsRecord[]
  domainName: string
  isChecking: boolean
  /** true: also shows the next check of verified records. */
  showsLaterChecks?: boolean
  /** Offers a check at any time: where the button Verify is disabled because all is verified. */
  onCheck?: (() => void) | undefined
}

/** Shows when DNS was last checked and when the next check is, or that a check is running. */
export function CheckNote(props: CheckNoteProps) {
  const { records, domainName, isChecking, showsLaterChecks, onCheck } = props
  const now = useClock(1000)
  const last = lastCheck(records)
  const next = nextCheck(records) ?? (showsLaterChecks ? earliestCheck(records) : undefined)
  return (
    <>
      <p role="status">{isChecking ? `Asking the name servers of ${domainName}...` : ''}</p>
      {!isChecking && last && (
        <p className="min-h-4 tabular-nums">
          {now !== null && (
            <>
              <time dateTime={last} title={formatMoment(last)}>
                Last checked {formatPast(last, now)}.
              </time>{' '}
              {next && <time dateTime={next}>Checked again {formatNext(next, now)}.</time>}
              {onCheck && (
                <>
                  {' '}
                  <Button variant="link" size="inline" onClick={onCheck}>
                    Check again
                  </Button>
                </>
              )}
            </>
          )}
        </p>
      )}
      {!isChecking && !last && <p>Not checked yet.</p>}
    </>
  )
}

/**
 * The current time, for countdowns. Milliseconds; null on the server, whose time is past when the browser takes the page over.
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

/** The next check of the records that are not verified yet. */
export const nextCheck = (records: readonly DnsRecord[]): string | undefined =>
  earliestCheck(records.filter(({ isVerified }) => isVerified !== true))

const earliestCheck = (records: readonly DnsRecord[]): string | undefined =>
  records.flatMap(({ nextCheckAt }) => nextCheckAt ?? []).toSorted()[0]

const formatNext = (iso: string, now: number) =>
  new Date(iso).getTime() - now < 1000 ? 'any moment' : formatDistance(iso, now)

/** A moving bar while DNS is being checked; keeps its space otherwise. */
export function CheckProgress({ isChecking }: { isChecking: boolean }) {
  return (
    <div aria-hidden className="relative h-0.5 overflow-hidden bg-transparent">
      {isChecking && <div className="absolute inset-y-0 w-1/3 animate-seek bg-accent" />}
    </div>
  )
}
