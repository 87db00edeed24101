import type { App } from '#server/app.ts'
import { DAY_MS } from '#server/lib/clock.ts'

/** The product at another time: what it stores has that date. */
export const atTime = (app: App, at: Date): App => ({ ...app, clock: { now: () => new Date(at) } })

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** Midnight UTC, the start of a day in the stat cards. */
export const dayStart = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
