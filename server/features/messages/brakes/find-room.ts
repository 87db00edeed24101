/** When a message that is too much now has room. Pure. */
import { secondsAfter } from '#server/lib/clock.ts'
import { type Amounts, DAY_SECONDS, type Limits } from './limits.ts'

export type Sent = { recipients: number; newRecipients: number }
export type SentAt = Sent & { at: Date; isOwn: boolean }

type Question = {
  asked: Sent
  /** What the mailbox and its workspace sent in the last 24 hours, oldest first. */
  sent: readonly SentAt[]
  limitsAt: (at: Date) => Limits
  /** When the limits change. */
  steps: readonly Date[]
}

/** The first moment at which something has left the window or a limit has grown, and all of it fits; null: never. */
export const findRoom = ({ asked, sent, limitsAt, steps }: Question): Date | null => {
  const own = { recipients: 0, newRecipients: 0 }
  const all = { recipients: 0, newRecipients: 0 }
  const add = (row: SentAt, sign: 1 | -1) => {
    for (const sum of row.isOwn ? [own, all] : [all]) {
      sum.recipients += sign * row.recipients
      sum.newRecipients += sign * row.newRecipients
    }
  }
  for (const row of sent) add(row, 1)
  const leaves = sent.map((row) => ({ row, at: secondsAfter(row.at, DAY_SECONDS) }))
  const moments = [...leaves.map(({ at }) => at), ...steps].toSorted(
    (a, b) => a.getTime() - b.getTime(),
  )
  let gone = 0
  for (const at of moments) {
    for (let next = leaves[gone]; next !== undefined && next.at <= at; next = leaves[++gone])
      add(next.row, -1)
    const { mailbox, together } = limitsAt(at)
    if (fits(mailbox, own, asked) && (together === null || fits(together, all, asked))) return at
  }
  return null
}

export const fits = (limit: Amounts, used: Sent, asked: Sent): boolean =>
  isWithin(limit.recipients, used.recipients + asked.recipients) &&
  isWithin(limit.newRecipients, used.newRecipients + asked.newRecipients)

const isWithin = (limit: number | null, amount: number): boolean =>
  limit === null || amount <= limit
