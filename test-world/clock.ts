import type { Clock } from '#server/lib/clock.ts'

/** A clock that stands still until a test moves it. */
export type TestClock = Clock & {
  advance(by: { seconds?: number; minutes?: number; hours?: number; days?: number }): Date
  set(to: Date): void
  /** Moves to the time of this computer, which gives files their times, unless it is later already. */
  catchUp(): void
}

export const aClock = (start = new Date('2026-11-20T12:00:00.000Z')): TestClock => {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance: ({ seconds = 0, minutes = 0, hours = 0, days = 0 }) => {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
      return new Date(now)
    },
    set: (to) => {
      now = to.getTime()
    },
    catchUp: () => {
      now = Math.max(now, Date.now())
    },
  }
}
