import type { App } from '#server/app.ts'
import { DAY_MS } from '#server/lib/clock.ts'

/** The product as it would have been at another time: what it stores carries that date. */
export const atTime = (app: App, at: Date): App => ({ ...app, clock: { now: () => new Date(at) } })

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** Midnight UTC, where the days of the stat cards begin. */
export const dayStart = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
