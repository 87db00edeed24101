import { randomBytes } from 'node:crypto'
import { deletedSentence } from '#contract/deletions.ts'
import type { Domain } from '#contract/domains.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { ExpectedRecord } from '#server/dns/record-kind.ts'
import { expectedRecords } from '#server/dns/record-kinds.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { readDomainName, toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { endOfDomainNamed } from './deleted-queries.ts'
import { makeKey, type NewKey, storeKey } from './domain-keys.ts'
import { insertDomain, type NewDomain } from './domain-queries.ts'
import { getDomain } from './find-domain.ts'
import { insertRecords } from './record-queries.ts'
import { sendersWithoutDns } from './senders.ts'

const ADDING = { limit: 100, windowSeconds: 60 }
const FIRST_CHECK_SECONDS = 15

/**
 * Works without DNS, and although other workspaces may have added the name: the first that proves it becomes its holder.
 * @throws DOMAIN_EXISTS when this workspace has it already, VALIDATION when it deleted it and could restore it.
 */
export const addDomain = async (app: App, who: Who, form: { name: string }): Promise<Domain> => {
  const read = readDomainName(form.name, app.config.allowLoopbackPeers)
  if ('refusal' in read) throw invalidField('name', read.refusal)
  await spendThrottle(app, `add-domain:${who.workspaceId}`, ADDING)
  const domain = await prepareDomain(app, who, read.name)
  await app.db.transaction().execute(async (tx) => {
    if (!(await storeDomain(tx, domain))) throw await takenName(tx, who, read.name)
    await announceChange(tx, { topic: 'domains', workspaceId: who.workspaceId })
  })
  return getDomain(app, who, domain.row.id)
}

/** The workspace has this name; it may have deleted it. */
const takenName = async (tx: Db, { workspaceId }: Who, name: string): Promise<AppError> => {
  const endsAt = await endOfDomainNamed(tx, workspaceId, name)
  return endsAt === undefined
    ? new AppError('DOMAIN_EXISTS')
    : invalidField('name', deletedSentence(toUnicodeDomain(name), endsAt))
}

export type Prepared = { row: NewDomain; key: NewKey; records: ExpectedRecord[] }

/** Makes the key and the values to publish, which takes a tenth of a second of a processor. `name` in A-labels. */
export const prepareDomain = async (app: App, who: Who, name: string): Promise<Prepared> => {
  const key = await makeKey(app)
  const { mechanisms } = await sendersWithoutDns(app)
  const row = {
    id: newId(),
    workspaceId: who.workspaceId,
    name,
    // 160 bits; lower case, since some DNS providers change the case of values.
    ownershipToken: randomBytes(20).toString('hex'),
    verifiedAt: null,
    activatedAt: null,
    createdAt: app.clock.now(),
  }
  const records = expectedRecords({
    ...row,
    selector: key.selector,
    publicKey: key.publicKey,
    spfMechanisms: mechanisms,
    mailHost: app.config.mailHost,
  })
  return { row, key, records }
}

/** Returns false when the workspace already has a domain of that name. */
export const storeDomain = async (tx: Db, { row, key, records }: Prepared): Promise<boolean> => {
  if (!(await insertDomain(tx, row))) return false
  await noteEvent(tx, {
    ...{ topic: 'domain.added', workspaceId: row.workspaceId, about: row.id, at: row.createdAt },
    data: { domainId: row.id, name: row.name },
  })
  await storeKey(tx, row, key)
  const firstCheckAt = secondsAfter(row.createdAt, FIRST_CHECK_SECONDS)
  await insertRecords(
    tx,
    row,
    records.map((record) => ({
      ...record,
      nextCheckAt: record.purpose === 'ownership' ? firstCheckAt : null,
    })),
  )
  return true
}
