import type { App } from '#server/app.ts'
import { purgeFactors } from '#server/features/factors/factor-queries.ts'
import { purgeLimits } from '#server/features/limits/throttle.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { purgeDevices, purgeMailLinks, purgeUnverifiedUsers } from './auth-store.ts'
import { purgeOauthStarts } from './oauth-store.ts'
import { purgeSessions } from './session-store.ts'

/** Deletes expired rows; for a job that runs at least daily. */
export const purgeExpired = async (app: App): Promise<void> => {
  const now = app.clock.now()
  const daysAgo = (days: number) => secondsAfter(now, -days * DAY_SECONDS)
  await purgeLimits(app)
  await purgeFactors(app)
  await purgeOauthStarts(app.db, now)
  // Ended sessions and old links are kept for a while: "expired" is a better answer than "unknown".
  await purgeSessions(app.db, daysAgo(30))
  await purgeMailLinks(app.db, daysAgo(30))
  await purgeUnverifiedUsers(app.db, daysAgo(30))
  await purgeDevices(app.db, daysAgo(365))
}
