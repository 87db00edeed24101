/** The two verify buttons: look now, and answer when what was found is stored. */
import type { DnsRecord } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { spendThrottle } from '#server/features/auth/throttle.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { checkDomain } from './check-domain.ts'
import { dnsRecords, ownershipRecord } from './dns-records.ts'
import { type DomainRow, readDomain } from './domains-store.ts'

const PER_DOMAIN = { limit: 10, windowSeconds: 60 }
const PER_WORKSPACE = { limit: 300, windowSeconds: 60 }

/** @throws DOMAIN_HELD when the proof is there, but another workspace's was first. */
export const verifyOwnership = async (app: App, who: Who, id: string): Promise<DnsRecord> => {
  const domain = await domainToCheck(app, who, id)
  const { isHeldElsewhere } = await checkDomain(app, domain, 'ownership')
  if (isHeldElsewhere) throw new AppError('DOMAIN_HELD')
  return ownershipRecord(app, who, id)
}

/** @throws DOMAIN_NOT_VERIFIED before ownership is proven. */
export const verifyDns = async (app: App, who: Who, id: string): Promise<DnsRecord[]> => {
  const domain = await domainToCheck(app, who, id)
  if (!domain.isVerified) throw new AppError('DOMAIN_NOT_VERIFIED')
  await checkDomain(app, domain, 'all')
  return dnsRecords(app, who, id)
}

const domainToCheck = async (app: App, who: Who, id: string): Promise<DomainRow> => {
  const domain = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  await spendThrottle(app, `verify-domain:${domain.id}`, PER_DOMAIN)
  await spendThrottle(app, `verify-domains-of:${who.workspaceId}`, PER_WORKSPACE)
  return domain
}
