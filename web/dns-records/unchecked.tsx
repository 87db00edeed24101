/** Records that could not be looked up: since when, why, and what the last answers said. Stands beside their states, which are older. */
import { type DnsRecord, recordTitles } from '#contract/domains.ts'
import { formatDate, formatMoment } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'

type Looked = Pick<DnsRecord, 'purpose' | 'state' | 'explanation' | 'verifiedAt' | 'uncheckedSince'>

export type Unchecked = {
  /** ISO time. */
  since: string
  /** Which servers failed how, in sentences. */
  reason: string
  /** What the last answers said. */
  last:
    | { kind: 'right'; at: string }
    | { kind: 'wrong'; names: string }
    /** No record of them was ever seen to be right. */
    | { kind: 'not-yet' }
}

/** null: all of them had an answer. */
export function uncheckedOf(records: readonly Looked[]): Unchecked | null {
  const silent = records.filter(({ uncheckedSince }) => uncheckedSince !== null)
  const [since] = silent.flatMap(({ uncheckedSince }) => uncheckedSince ?? []).toSorted()
  if (since === undefined) return null
  const reasons = new Set(silent.map(({ explanation }) => reasonIn(explanation)))
  return { since, reason: [...reasons].join(' '), last: lastOf(silent) }
}

/** The server begins with what the reader is told already. */
const reasonIn = (explanation: string): string => {
  const reason = explanation.replace(/^This record could not be checked: /, '')
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

function lastOf(silent: readonly Looked[]): Unchecked['last'] {
  const wrong = silent.filter(({ state }) => state === 'different' || state === 'conflict')
  if (wrong.length > 0)
    return { kind: 'wrong', names: wrong.map(({ purpose }) => recordTitles[purpose]).join(', ') }
  const [at] = silent.flatMap(({ verifiedAt }) => verifiedAt ?? []).toSorted()
  const isRight = silent.every(({ state }) => state === 'verified')
  return isRight && at !== undefined ? { kind: 'right', at } : { kind: 'not-yet' }
}

/** In the place of a state, or beside one. */
export const UNCHECKED = 'Could not be checked'

export function UncheckedNote({ unchecked }: { unchecked: Unchecked }) {
  return (
    <span className="wrap-anywhere block text-pretty text-xs">
      <span className="font-medium text-warn">
        {UNCHECKED} since <LocalTime at={unchecked.since} format={formatMoment} />.
      </span>{' '}
      <span className="text-soft">
        {unchecked.reason} <LastAnswer {...unchecked} />
      </span>
    </span>
  )
}

export function LastAnswer({ last, className }: Pick<Unchecked, 'last'> & { className?: string }) {
  return (
    <span className={cn('font-medium text-ink', className)}>
      {last.kind === 'right' ? (
        <>
          Right on <LocalTime at={last.at} format={formatDate} />.
        </>
      ) : last.kind === 'wrong' ? (
        `Wrong at the last answer: ${last.names}.`
      ) : (
        'Not right at any check yet.'
      )}
    </span>
  )
}
