/** Adds the sample domains through the product's features; their checks read the demo's DNS. */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { checkDomain } from '#server/features/checks/check-domain.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { type AskedRecord, addedDomains } from '../sandbox/added-domains.ts'
import { OTHER_PROVIDER } from '../sandbox/mistakes/mistake.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { atTime, daysBefore } from './at-time.ts'
import { type ActiveDomain, activeDomains, pendingDomains } from './domain-plan.ts'
import { makeFault, openOtherProvider } from './faults.ts'

type Planned = {
  name: string
  addedDaysAgo: number
  publish: (records: readonly AskedRecord[]) => void
}

const HOUR_DAYS = 1 / 24
/** Each domain generates an RSA key; more at once would occupy all threads of the pool. */
const LANES = 3

export const seedDomains = async (app: App, admin: Who, sandbox: Sandbox): Promise<void> => {
  openOtherProvider(sandbox.zones)
  const planned: Planned[] = [
    ...activeDomains.map((domain) => ({
      ...domain,
      publish: (records: readonly AskedRecord[]) => publishActive(sandbox, domain, records),
    })),
    ...pendingDomains.map((domain) => ({
      ...domain,
      publish: (records: readonly AskedRecord[]) =>
        makeFault[domain.fault](sandbox, domain.name, records),
    })),
  ]
  const waiting = planned.values()
  const lane = async () => {
    for (const domain of waiting) await seedDomain(app, admin, domain)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

const seedDomain = async (app: App, admin: Who, planned: Planned): Promise<void> => {
  const { name, addedDaysAgo, publish } = planned
  const now = app.clock.now()
  const { _id: id } = await addDomain(atTime(app, daysBefore(now, addedDaysAgo)), admin, { name })
  const [added] = await addedDomains(app.db, admin.workspaceId, id)
  publish(added?.asked ?? [])
  const check = async (on: App) => {
    const domain = { id, workspaceId: admin.workspaceId }
    await checkDomain(on, domain, (await isProven(app, id)) ? 'all' : 'ownership')
  }
  // Two checks when the domain was new, the first to prove it, and one now.
  const soonAfter = atTime(app, daysBefore(now, Math.max(0, addedDaysAgo - HOUR_DAYS)))
  for (const on of [soonAfter, soonAfter, app]) await check(on)
}

const publishActive = (
  sandbox: Sandbox,
  { name, hasOtherMx }: ActiveDomain,
  records: readonly AskedRecord[],
): void => {
  sandbox.publish(name, records)
  if (hasOtherMx) sandbox.zones.set(name, 'MX', [`10 mx.${OTHER_PROVIDER}`])
}

const isProven = async (app: App, id: string): Promise<boolean> => {
  const row = await app.db
    .selectFrom('domains')
    .select('isVerified')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.isVerified ?? false
}
