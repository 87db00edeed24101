/** How much a mailbox may send. Pure; decision 022 says why these figures. */
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'

const RAMP_DAYS = 3
const FIRST_SHARE = 0.2
/** In a new workspace all mailboxes together may send as much as this many mailboxes. */
const TOGETHER = 10

/** null: no limit. */
export type Amounts = { recipients: number | null; newRecipients: number | null }
export type Limits = { mailbox: Amounts; together: Amounts | null }

export type Settings = { sendLimit: number; newRecipientLimit: number }

/**
 * In the first days the limits are a fifth and double each day, and there is one of all mailboxes of the workspace.
 * `knownSince`: when the workspace was made, or the mailbox's domain, whichever is older.
 */
export const limitsAt = (settings: Settings, knownSince: Date, now: Date): Limits => {
  const whole = [settings.sendLimit, settings.newRecipientLimit]
  const [recipients = null, newRecipients = null] = whole.map((limit) =>
    limit === 0 ? null : Math.ceil(limit * shareAt(knownSince, now)),
  )
  const mailbox = { recipients, newRecipients }
  const isRamping = rampEndsAt(settings, knownSince, now) !== null
  return { mailbox, together: isRamping ? togetherOf(mailbox) : null }
}

const togetherOf = ({ recipients, newRecipients }: Amounts): Amounts => ({
  recipients: recipients && recipients * TOGETHER,
  newRecipients: newRecipients && newRecipients * TOGETHER,
})

const shareAt = (knownSince: Date, now: Date): number =>
  Math.min(1, FIRST_SHARE * 2 ** Math.max(0, daysBetween(knownSince, now)))

const daysBetween = (from: Date, to: Date): number =>
  Math.floor((to.getTime() - from.getTime()) / (DAY_SECONDS * 1000))

/** When the limits of the first days end; null: they have ended, or there are no limits. */
export const rampEndsAt = (settings: Settings, knownSince: Date, now: Date): Date | null => {
  if (settings.sendLimit === 0 && settings.newRecipientLimit === 0) return null
  const endsAt = secondsAfter(knownSince, RAMP_DAYS * DAY_SECONDS)
  return now < endsAt ? endsAt : null
}

/** The times after now at which the limits grow. */
export const rampSteps = (knownSince: Date, now: Date): Date[] =>
  Array.from({ length: RAMP_DAYS }, (_, n) =>
    secondsAfter(knownSince, (n + 1) * DAY_SECONDS),
  ).filter((at) => at > now)

export type Sent = { recipients: number; newRecipients: number }
export type SentAt = Sent & { at: Date; isOwn: boolean }

type Question = {
  asked: Sent
  /** What the mailbox and its workspace sent in the last 24 hours, oldest first. */
  sent: readonly SentAt[]
  limitsAt: (at: Date) => Limits
  /** The times at which the limits grow. */
  steps: readonly Date[]
}

/**
 * When a message that exceeds a limit now will fit. Pure.
 * The first time at which sent messages have left the window, or a limit has grown, and the message fits; null: never.
 */
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
