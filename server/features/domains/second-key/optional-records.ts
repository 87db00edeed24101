/**
 * What a domain may publish besides: a second DKIM key (Ed25519, RFC 8463). Made when somebody first asks for it, checked
 * with the others from then on, and no part of what counts.
 */
import type { DnsRecord } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { isOptional, toDnsRecord } from '../dns-records.ts'
import { makeSecondKey, storeKey } from '../domain-keys.ts'
import { lockDomain } from '../domains-store.ts'
import { secondKeyRecord } from '../records/expected-records.ts'
import { insertRecords, readRecords } from '../records-store.ts'

/** @throws NOT_EXISTS */
export const optionalRecords = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  domainId: string,
): Promise<DnsRecord[]> => {
  if (!isId(domainId)) throw new AppError('NOT_EXISTS')
  const read = async () =>
    (await readRecords(app.db, workspaceId, domainId)).filter(isOptional).map(toDnsRecord)
  const known = await read()
  if (known.length > 0) return known
  await makeRecord(app, workspaceId, domainId)
  return read()
}

const makeRecord = (app: App, workspaceId: string, domainId: string): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    const domain = await lockDomain(tx, workspaceId, domainId)
    if (!domain) throw new AppError('NOT_EXISTS')
    // Somebody else asked at the same moment.
    if ((await readRecords(tx, workspaceId, domainId)).some(isOptional)) return
    const key = makeSecondKey(app)
    await storeKey(tx, domain, key)
    await insertRecords(tx, [
      {
        ...secondKeyRecord(domain.name, key),
        ...{ domainId, workspaceId, found: '[]' },
        ...{ checkedAt: null, nextCheckAt: null, changedAt: null },
      },
    ])
  })
