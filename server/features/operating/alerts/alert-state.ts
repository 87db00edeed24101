/** What is known of one alert, and what follows from it. Pure: the table and the memory of a process keep it alike (decision 107). */
import { DAY_MS } from '#server/lib/clock.ts'
import { backoff } from '#server/lib/wait.ts'

export type Channel = 'url' | 'relay'
export type News = 'begun' | 'ended'

export type Telling = {
  /** The last news that the channel took. */
  told: News | null
  toldAt: string | null
  /** In a row. */
  failures: number
  nextTryAt: string
}
export type Tellings = Partial<Record<Channel, Telling>>

export type AlertState = {
  since: Date
  /** When the trouble was last seen, by whichever process. */
  heldAt: Date
  /** What is wrong, as it was last seen. */
  sentence: string
  /** null: it is too short to be told. */
  begunAt: Date | null
  endedAt: Date | null
  tellings: Tellings
}

const MINUTE_MS = 60_000
/** What is gone for so long is over: what comes and goes stays one alert. */
const GONE_MS = 5 * MINUTE_MS
const REPEAT_MS = DAY_MS
/** For retries; `claim` is longer than any try, for a process that died meanwhile. */
const WAITS_MS = { first: 30_000, longest: 15 * MINUTE_MS, claim: MINUTE_MS }
/** An end that nobody takes is forgotten. */
const FORGET_MS = 3 * DAY_MS

/** `sentence`: what is wrong; null: nothing. null: there is nothing to remember. */
export const observed = (
  before: AlertState | null,
  sentence: string | null,
  afterMinutes: number,
  now: Date,
): AlertState | null => {
  if (sentence !== null) return holding(before, sentence, afterMinutes, now)
  if (before === null || before.endedAt !== null) return before
  if (msBetween(before.heldAt, now) < GONE_MS) return before
  return before.begunAt === null ? null : { ...before, endedAt: now }
}

const holding = (
  before: AlertState | null,
  sentence: string,
  afterMinutes: number,
  now: Date,
): AlertState => {
  const isSame =
    before !== null &&
    before.endedAt === null &&
    (before.begunAt !== null || msBetween(before.heldAt, now) < GONE_MS)
  const since = isSame ? before.since : now
  const isLong = msBetween(since, now) >= afterMinutes * MINUTE_MS
  const begunAt = (isSame ? before.begunAt : null) ?? (isLong ? now : null)
  const tellings = before?.tellings ?? {}
  return { since, heldAt: now, sentence, begunAt, endedAt: null, tellings }
}

const msBetween = (from: Date | string, to: Date): number => to.getTime() - new Date(from).getTime()

/** What is to be told now, by channel. */
export const dueNews = (
  state: AlertState,
  channels: readonly Channel[],
  now: Date,
): { channel: Channel; news: News }[] =>
  channels.flatMap((channel) => {
    const telling = state.tellings[channel]
    if (telling !== undefined && msBetween(telling.nextTryAt, now) < 0) return []
    const news = newsFor(state, telling, now)
    return news === null ? [] : [{ channel, news }]
  })

const newsFor = (state: AlertState, telling: Telling | undefined, now: Date): News | null => {
  const isTold = telling?.told === 'begun'
  // Of what came and went before it could be told, nothing is told.
  if (state.endedAt !== null) return isTold ? 'ended' : null
  if (state.begunAt === null) return null
  const isOld = telling?.toldAt != null && msBetween(telling.toldAt, now) >= REPEAT_MS
  return !isTold || isOld ? 'begun' : null
}

/** It ended, and every channel that knew of it was told so. */
export const isOver = (state: AlertState, channels: readonly Channel[], now: Date): boolean => {
  if (state.endedAt === null) return false
  const isWaited = channels.some((channel) => state.tellings[channel]?.told === 'begun')
  return !isWaited || msBetween(state.endedAt, now) >= FORGET_MS
}

const untold: Telling = { told: null, toldAt: null, failures: 0, nextTryAt: '' }

/** No other process tells it meanwhile. */
export const claimed = (state: AlertState, channel: Channel, now: Date): AlertState =>
  withTelling(state, channel, { nextTryAt: after(now, WAITS_MS.claim) })

export const taken = (state: AlertState, channel: Channel, news: News, now: Date): AlertState =>
  withTelling(state, channel, {
    ...{ told: news, toldAt: now.toISOString(), failures: 0, nextTryAt: now.toISOString() },
  })

export const refused = (state: AlertState, channel: Channel, now: Date): AlertState => {
  const failures = (state.tellings[channel]?.failures ?? 0) + 1
  return withTelling(state, channel, {
    failures,
    nextTryAt: after(now, backoff(failures, WAITS_MS)),
  })
}

const withTelling = (
  state: AlertState,
  channel: Channel,
  change: Partial<Telling>,
): AlertState => ({
  ...state,
  tellings: { ...state.tellings, [channel]: { ...untold, ...state.tellings[channel], ...change } },
})

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()
