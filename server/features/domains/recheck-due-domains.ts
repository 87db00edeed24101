/** Looks again at the domains whose time has come. Several processes share the work without doing any twice. */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { checkDomain } from './check-domain.ts'
import { claimDueDomains } from './records-store.ts'

const AT_ONCE = 20
const MAX_BATCHES = 100
/** Longer than a check lasts; a process that dies loses its claim after this. */
const LEASE_SECONDS = 120

/** Answers how many were looked at. */
export const recheckDueDomains = async (app: App): Promise<number> => {
  let count = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const now = app.clock.now()
    const due = await app.db
      .transaction()
      .execute((tx) => claimDueDomains(tx, now, secondsAfter(now, LEASE_SECONDS), AT_ONCE))
    if (due.length === 0) break
    await Promise.all(
      due.map(async (domain) => {
        try {
          await checkDomain(app, domain, domain.isVerified ? 'all' : 'ownership')
        } catch (error) {
          app.log.error({ error, domainId: domain.id }, 'a domain could not be checked')
        }
      }),
    )
    count += due.length
  }
  return count
}
