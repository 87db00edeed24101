/** Checks the domains that are due. Several processes share the work; each domain is checked by one of them. */
import type { App } from '#server/app.ts'
import { claimDueDomains, type DueDomain } from '#server/features/domains/due-queries.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { checkDomain } from './check-domain.ts'

const AT_ONCE = 20
/** A workspace with so many running checks gets more only when no other workspace has a domain due: its servers may be slow. */
const MANY = AT_ONCE / 2
/** Longer than a check lasts; the claim of a process that died ends after this. */
const CLAIM_SECONDS = 120

/** Returns the number of checked domains. Once `isStopped`, it finishes the running checks and starts no more. */
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
      // A domain with slow servers must not delay the others.
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

/** The workspaces with MANY or more of these domains. */
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
