/** The time, injected so that tests can move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export const HOUR_SECONDS = 3600
export const HOUR_MS = HOUR_SECONDS * 1000
export const DAY_SECONDS = 24 * HOUR_SECONDS
export const DAY_MS = DAY_SECONDS * 1000

export const secondsAfter = (from: Date, seconds: number): Date =>
  new Date(from.getTime() + seconds * 1000)

/** In milliseconds; `time`: '03:00', in UTC. */
export const timeOn = (day: Date, time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return new Date(day).setUTCHours(hour, minute, 0, 0)
}

/** Such as '2026-11-20 12:00 UTC'. */
export const timeText = (at: Date): string =>
  `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
