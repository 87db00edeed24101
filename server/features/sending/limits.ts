/** How much a mailbox may send. Pure; decision 022 says why these figures. */
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'

const RAMP_DAYS = 3
const FIRST_SHARE = 0.2
/** As many mailboxes' worth may all those of a new workspace send together. */
const TOGETHER = 10

/** null: no limit. */
export type Amounts = { recipients: number | null; newRecipients: number | null }
export type Limits = { mailbox: Amounts; together: Amounts | null }

export type Settings = { sendLimit: number; newRecipientLimit: number }

/** In the first days of a workspace the limits are a fifth and double each day, and there is one of all its mailboxes. */
export const limitsAt = (settings: Settings, workspaceCreatedAt: Date, now: Date): Limits => {
  const whole = [settings.sendLimit, settings.newRecipientLimit]
  const [recipients = null, newRecipients = null] = whole.map((limit) =>
    limit === 0 ? null : Math.ceil(limit * shareAt(workspaceCreatedAt, now)),
  )
  const mailbox = { recipients, newRecipients }
  const isRamping = rampEndsAt(settings, workspaceCreatedAt, now) !== null
  return { mailbox, together: isRamping ? togetherOf(mailbox) : null }
}

const togetherOf = ({ recipients, newRecipients }: Amounts): Amounts => ({
  recipients: recipients && recipients * TOGETHER,
  newRecipients: newRecipients && newRecipients * TOGETHER,
})

const shareAt = (createdAt: Date, now: Date): number =>
  Math.min(1, FIRST_SHARE * 2 ** Math.max(0, daysBetween(createdAt, now)))

const daysBetween = (from: Date, to: Date): number =>
  Math.floor((to.getTime() - from.getTime()) / (DAY_SECONDS * 1000))

/** null: the limits are whole, or there are none. */
export const rampEndsAt = (settings: Settings, createdAt: Date, now: Date): Date | null => {
  if (settings.sendLimit === 0 && settings.newRecipientLimit === 0) return null
  const endsAt = secondsAfter(createdAt, RAMP_DAYS * DAY_SECONDS)
  return now < endsAt ? endsAt : null
}

/** When the limits of a workspace change, from now on. */
export const rampSteps = (createdAt: Date, now: Date): Date[] =>
  Array.from({ length: RAMP_DAYS }, (_, n) =>
    secondsAfter(createdAt, (n + 1) * DAY_SECONDS),
  ).filter((at) => at > now)

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

/**
 * When a message that is too much now has room. Pure.
 * The first moment at which something has left the window or a limit has grown, and all of it fits; null: never.
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
