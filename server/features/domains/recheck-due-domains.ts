/** Looks again at the domains whose time has come. Several processes share the work without doing any twice. */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { checkDomain } from './check-domain.ts'
import { claimDueDomains, type DueDomain } from './watching/claims-store.ts'

const AT_ONCE = 20
/** Longer than a check lasts; a process that dies loses its claim after this. */
const CLAIM_SECONDS = 120

/** Answers how many were looked at. Stops early, with the checks under way, once `isStopped`. */
export const recheckDueDomains = async (
  app: App,
  isStopped: () => boolean = () => false,
): Promise<number> => {
  const underWay = new Set<Promise<void>>()
  let count = 0
  try {
    for (;;) {
      const due = isStopped() ? [] : await claim(app, AT_ONCE - underWay.size)
      if (due.length === 0 && underWay.size === 0) return count
      count += due.length
      for (const domain of due) {
        const work: Promise<void> = check(app, domain).finally(() => underWay.delete(work))
        underWay.add(work)
      }
      // A domain whose servers are slow does not hold the others up.
      while (underWay.size > (due.length === 0 ? 0 : AT_ONCE / 2)) await Promise.race(underWay)
    }
  } finally {
    await Promise.all(underWay)
  }
}

const claim = (app: App, limit: number): Promise<DueDomain[]> => {
  const now = app.clock.now()
  return app.db
    .transaction()
    .execute((tx) => claimDueDomains(tx, now, secondsAfter(now, CLAIM_SECONDS), limit))
}

const check = async (app: App, domain: DueDomain): Promise<void> => {
  try {
    await checkDomain(app, domain, domain.isVerified ? 'all' : 'ownership')
  } catch (error) {
    app.log.error({ err: error, domainId: domain.id }, 'a domain could not be checked')
  }
}
