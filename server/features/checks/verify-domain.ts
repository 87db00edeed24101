/** The two verify buttons: look now, and answer when what was found is stored. */
import type { DnsRecord } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { type DomainRow, readDomain } from '#server/features/domains/domains-store.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { hasOpenClaim } from '#server/features/ownership/read-ownership.ts'
import { isId } from '#server/lib/ids.ts'
import { checkDomain } from './check-domain.ts'

const BOTH_PROVEN =
  'Another workspace holds this domain, and its ownership record is in DNS beside yours. Remove the other record, then verify again'
const PER_DOMAIN = { limit: 10, windowSeconds: 60 }
const PER_WORKSPACE = { limit: 300, windowSeconds: 60 }

/**
 * When another workspace holds the name, the proof starts a claim on it.
 * @throws DOMAIN_HELD when the claim has ended because the holder's proof is in DNS too; TOO_MANY_REQUESTS
 */
export const verifyOwnership = async (app: App, who: Who, id: string): Promise<DnsRecord> => {
  const domain = await domainToCheck(app, who, id)
  const { isHeldElsewhere } = await checkDomain(app, domain, 'ownership', { isAskedFor: true })
  const record = await ownershipRecord(app, who, id)
  if (isHeldElsewhere && record.state !== 'verified' && !(await hasOpenClaim(app, domain.id)))
    throw new AppError('DOMAIN_HELD', { message: BOTH_PROVEN })
  return record
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
