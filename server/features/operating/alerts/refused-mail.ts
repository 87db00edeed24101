import { DAY_MS } from '#server/lib/clock.ts'
import type { Condition } from './condition.ts'
import { SLOT_MS } from './count-refusals.ts'
import { type RefusedRow, readRefusals } from './refusals-store.ts'

const MINUTE_MS = 60_000
const RECENT_MS = 15 * MINUTE_MS
const USUAL_MS = DAY_MS
/** Slots that have to be known before a rate is called usual: those of an hour. */
const LEAST_SLOTS = 12
/** A small server that is scanned by one network stays below. */
const LEAST = 200
const FACTOR = 4

export const refusedMail: Condition = {
  name: 'refused-mail',
  afterMinutes: 0,
  mend: 'The lines mail-refused of the log say who was refused and why. One network that guesses addresses is harmless; many networks that are refused as a fault, or for a full disk, are not.',
  look: async ({ db, clock }) => {
    const now = clock.now()
    return refusalTrouble(await readRefusals(db, new Date(now.getTime() - USUAL_MS)), now)
  },
}

/** `rows`: of the last day, also slots without a refusal. What an operator blocks is no trouble. */
export const refusalTrouble = (rows: readonly RefusedRow[], now: Date): string | null => {
  const recentFrom = slotOf(now.getTime() - RECENT_MS + SLOT_MS)
  const isRecent = ({ slot }: RefusedRow) => slot.getTime() >= recentFrom
  const recent = rows.filter(isRecent)
  const before = rows.filter((row) => !isRecent(row))
  const slots = new Set(before.map(({ slot }) => slot.getTime())).size
  if (slots < LEAST_SLOTS) return null
  const count = sumOf(recent)
  const usual = (sumOf(before) / slots) * (RECENT_MS / SLOT_MS)
  if (count < LEAST || count < usual * FACTOR) return null
  const why = mostOften(recent)
  return `${count} mails were refused in the last 15 minutes; usual are ${Math.round(usual)}. Most of them: ${reasons[why] ?? why}.`
}

const mostOften = (rows: readonly RefusedRow[]): string => {
  const byWhy = Map.groupBy(rows, ({ why }) => why)
  const [first = ''] = [...byWhy.keys()].toSorted(
    (a, b) => sumOf(byWhy.get(b) ?? []) - sumOf(byWhy.get(a) ?? []),
  )
  return first
}

const slotOf = (ms: number): number => Math.floor(ms / SLOT_MS) * SLOT_MS

const sumOf = (rows: readonly RefusedRow[]): number =>
  rows.reduce((sum, { refusals, why }) => sum + (why === 'blocked' ? 0 : refusals), 0)

/** By the label `why` of the counter. */
const reasons: Record<string, string> = {
  rule: 'by a rule, such as an unknown recipient',
  'disk-full': 'the disk is full',
  'database-away': 'the database was away',
  'blob-store-away': 'the blobs are out of reach',
  fault: 'a fault of Mailstead, which the log explains',
}
