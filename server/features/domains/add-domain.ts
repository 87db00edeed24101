import { randomBytes } from 'node:crypto'
import type { Domain } from '#contract/domains.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { expectedRecords } from '#server/dns/expected-records.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { readDomainName } from '#server/standards/domain-name.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { makeKey, storeKey } from './domain-keys.ts'
import { insertDomain } from './domains-store.ts'
import { getDomain } from './find-domain.ts'
import { insertRecords } from './records-store.ts'
import { sendersWithoutDns } from './senders.ts'

const ADDING = { limit: 100, windowSeconds: 60 }
const FIRST_CHECK_SECONDS = 15

/**
 * Needs no answer from DNS, and does not look whether others claim the name: whoever proves it first holds it.
 * @throws DOMAIN_EXISTS when this workspace has it already.
 */
export const addDomain = async (app: App, who: Who, form: { name: string }): Promise<Domain> => {
  const read = readDomainName(form.name, app.config.allowLoopbackPeers)
  if ('refusal' in read) throw invalidField('name', read.refusal)
  await spendThrottle(app, `add-domain:${who.workspaceId}`, ADDING)
  const key = await makeKey(app)
  const { mechanisms } = await sendersWithoutDns(app)
  const now = app.clock.now()
  const domain = {
    id: newId(),
    workspaceId: who.workspaceId,
    name: read.name,
    // 160 bits; lower case, since some DNS providers change the case of what is typed.
    ownershipToken: randomBytes(20).toString('hex'),
    verifiedAt: null,
    activatedAt: null,
    createdAt: now,
  }
  const records = expectedRecords({
    ...domain,
    selector: key.selector,
    publicKey: key.publicKey,
    spfMechanisms: mechanisms,
    mailHost: app.config.mailHost,
  })
  await app.db.transaction().execute(async (tx) => {
    if (!(await insertDomain(tx, domain))) throw new AppError('DOMAIN_EXISTS')
    await storeKey(tx, domain, key)
    await insertRecords(
      tx,
      records.map((record) => ({
        ...record,
        domainId: domain.id,
        workspaceId: domain.workspaceId,
        found: '[]',
        checkedAt: null,
        nextCheckAt: record.purpose === 'ownership' ? secondsAfter(now, FIRST_CHECK_SECONDS) : null,
        changedAt: null,
      })),
    )
    await announceChange(tx, { topic: 'domains', workspaceId: who.workspaceId })
  })
  return getDomain(app, who, domain.id)
}
