/** How much a mailbox may send. Pure; decision 022 says why these figures. */
import { secondsAfter } from '#server/lib/clock.ts'

export const DAY_SECONDS = 24 * 3600
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
