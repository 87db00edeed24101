/** Looks at claims whose time has come, and forgets old notices. */
import type { App } from '#server/app.ts'
import { purgeReleased, takeDueClaims } from '#server/features/ownership/ownership-store.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { checkDomain } from './check-domain.ts'

const AT_ONCE = 20
const MAX_BATCHES = 100
/** A look that learnt nothing definite is tried again after this. */
const AGAIN_SECONDS = 600
const NOTICES_KEPT_SECONDS = 90 * 24 * 3600

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
