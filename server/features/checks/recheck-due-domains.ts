/** Looks again at the domains whose time has come. Several processes share the work without doing any twice. */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { checkDomain } from './check-domain.ts'
import { claimDueDomains, type DueDomain } from './claims-store.ts'

const AT_ONCE = 20
/** A workspace with so many under way, whose servers may be slow, gets more only when no other has any due. */
const MANY = AT_ONCE / 2
/** Longer than a check lasts; a process that dies loses its claim after this. */
const CLAIM_SECONDS = 120

/** Answers how many were looked at. Stops early, with the checks under way, once `isStopped`. */
export const recheckDueDomains = async (
  app: App,
  isStopped: () => boolean = () => false,
): Promise<number> => {
  const underWay = new Map<Promise<void>, DueDomain>()
  let count = 0
  try {
    for (;;) {
      const due = isStopped() ? [] : await claim(app, [...underWay.values()])
      if (due.length === 0 && underWay.size === 0) return count
      count += due.length
      for (const domain of due) {
        const work: Promise<void> = check(app, domain).finally(() => underWay.delete(work))
        underWay.set(work, domain)
      }
      // A domain whose servers are slow does not hold the others up.
      while (underWay.size > (due.length === 0 ? 0 : AT_ONCE / 2))
        await Promise.race(underWay.keys())
    }
  } finally {
    await Promise.all(underWay.keys())
  }
}

const claim = (app: App, underWay: DueDomain[]): Promise<DueDomain[]> => {
  const now = app.clock.now()
  const until = secondsAfter(now, CLAIM_SECONDS)
  const limit = AT_ONCE - underWay.length
  return app.db.transaction().execute(async (tx) => {
    const taken: DueDomain[] = []
    while (taken.length < limit) {
      const left = limit - taken.length
      const others = withMany([...underWay, ...taken])
      const due = await claimDueDomains(tx, now, until, Math.min(MANY, left), others)
      taken.push(...due)
      if (due.length > 0) continue
      if (others.length > 0) taken.push(...(await claimDueDomains(tx, now, until, left)))
      break
    }
    return taken
  })
}

/** The workspaces of many of these. */
const withMany = (domains: DueDomain[]): string[] =>
  [...Map.groupBy(domains, ({ workspaceId }) => workspaceId)]
    .filter(([, own]) => own.length >= MANY)
    .map(([workspaceId]) => workspaceId)

const check = async (app: App, domain: DueDomain): Promise<void> => {
  try {
    await checkDomain(app, domain, domain.isVerified ? 'all' : 'ownership')
  } catch (error) {
    app.log.error({ err: error, domainId: domain.id }, 'a domain could not be checked')
  }
}
