/** Adds the sample domains by the product's own rules; what the checks then find is what stands in the demo's DNS. */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { checkDomain } from '#server/features/domains/check-domain.ts'
import { type AskedRecord, askedRecords, publish } from '../sandbox/publish.ts'
import type { SandboxZones } from '../world/sandbox-zones.ts'
import { atTime, daysBefore } from './at-time.ts'
import { type ActiveDomain, activeDomains, pendingDomains } from './domain-plan.ts'
import { makeFault, OTHER_PROVIDER, openOtherProvider } from './faults.ts'

type Planned = {
  name: string
  addedDaysAgo: number
  publish: (records: readonly AskedRecord[]) => void
}

const HOUR_DAYS = 1 / 24
/** Each makes an RSA key; more at once would keep the threads from everything else. */
const LANES = 3

export const seedDomains = async (app: App, admin: Who, zones: SandboxZones): Promise<void> => {
  openOtherProvider(zones)
  const planned: Planned[] = [
    ...activeDomains.map((domain) => ({
      ...domain,
      publish: (records: readonly AskedRecord[]) => publishActive(zones, domain, records),
    })),
    ...pendingDomains.map((domain) => ({
      ...domain,
      publish: (records: readonly AskedRecord[]) =>
        makeFault[domain.fault](zones, domain.name, records),
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
  publish(await askedRecords(app.db, name))
  const check = async (on: App) => {
    const domain = { id, workspaceId: admin.workspaceId }
    await checkDomain(on, domain, (await isProven(app, id)) ? 'all' : 'ownership')
  }
  // Twice as it went when the domain was new, first to prove it, and once as it is now.
  const soonAfter = atTime(app, daysBefore(now, Math.max(0, addedDaysAgo - HOUR_DAYS)))
  for (const on of [soonAfter, soonAfter, app]) await check(on)
}

const publishActive = (
  zones: SandboxZones,
  { name, hasOtherMx }: ActiveDomain,
  records: readonly AskedRecord[],
): void => {
  publish(zones, name, records)
  if (hasOtherMx) zones.set(name, 'MX', [`10 mx.${OTHER_PROVIDER}`])
}

const isProven = async (app: App, id: string): Promise<boolean> => {
  const row = await app.db
    .selectFrom('domains')
    .select('isVerified')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.isVerified ?? false
}
