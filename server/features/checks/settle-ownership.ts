/** Checks the claims that are due, and deletes old notices. */
import type { App } from '#server/app.ts'
import { purgeReleased, takeDueClaims } from '#server/features/ownership/claim-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { checkDomain } from './check-domain.ts'

const AT_ONCE = 20
const MAX_BATCHES = 100
/** Wait after a check without a definite result. */
const AGAIN_SECONDS = 600
const NOTICES_KEPT_SECONDS = 90 * DAY_SECONDS

export const settleOwnership = async (app: App): Promise<void> => {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const now = app.clock.now()
    const due = await takeDueClaims(app.db, now, secondsAfter(now, AGAIN_SECONDS), AT_ONCE)
    if (due.length === 0) break
    await Promise.all(
      due.map(async ({ domainId, workspaceId }) => {
        try {
          await checkDomain(app, { id: domainId, workspaceId }, 'ownership')
        } catch (error) {
          app.log.error({ error, domainId }, 'a claim could not be looked at')
        }
      }),
    )
  }
  await purgeReleased(app.db, secondsAfter(app.clock.now(), -NOTICES_KEPT_SECONDS))
}
