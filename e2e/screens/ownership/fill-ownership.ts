/** Domains whose ownership is in question: claimed by another workspace, claimed from another workspace, without a proof. */
import { newId } from '#server/lib/ids.ts'
import { aDomain, aWorkspace } from '#test-world/builders.ts'
import { type Account, publish } from '#test-world/trials/account.ts'
import type { Setting } from '../../specification/setting.ts'

export type QuestionedDomains = Record<'claimed' | 'asked' | 'missing', string>

const DAY = 86_400_000

export const fillOwnership = async (
  setting: Setting,
  account: Account,
): Promise<QuestionedDomains> => ({
  claimed: await claimedByAnother(setting, account),
  asked: await claimedFromAnother(setting, account),
  missing: await withoutProof(setting, account),
})

const proven = async ({ product }: Setting, account: Account, name: string) => {
  product.dns.zone(name)
  const { _id: id } = await account.ask('POST', '/domains', { name })
  const record = await account.ask('GET', `/dns-records/ownership/${id}`)
  publish(product, [record])
  await account.ask('POST', `/dns-records/verify-ownership/${id}`)
  product.dns.remove(record.name)
  return id
}

const claimedByAnother = async (setting: Setting, account: Account): Promise<string> => {
  const { db, clock } = setting
  const name = 'claimed-by-another-department.example'
  const id = await proven(setting, account, name)
  const claimant = await aDomain(setting, { name, workspaceId: (await aWorkspace(setting)).id })
  const now = clock.now()
  const decidesAt = new Date(now.getTime() + 5 * DAY)
  await db
    .insertInto('domainClaims')
    .values({
      ...{ id: newId(), domainId: claimant.id, workspaceId: claimant.workspaceId },
      ...{ holderDomainId: id, isHolderProven: false, startedAt: now, decidesAt },
      ...{ remindedAt: null, nextLookAt: decidesAt, outcome: null, endedAt: null },
    })
    .execute()
  return id
}

const claimedFromAnother = async (setting: Setting, account: Account): Promise<string> => {
  const { dns } = setting.product
  const name = 'asked.example'
  const workspaceId = (await aWorkspace(setting)).id
  const { ownershipToken } = await aDomain(setting, { name, workspaceId, verified: true })
  dns.zone(name)
  const { _id: id } = await account.ask('POST', '/domains', { name })
  const record = await account.ask('GET', `/dns-records/ownership/${id}`)
  dns.set(record.name, 'TXT', [record.value, `mailstead-verify=${ownershipToken}`])
  await account.ask('POST', `/dns-records/verify-ownership/${id}`)
  return id
}

const withoutProof = async (setting: Setting, account: Account): Promise<string> => {
  const { db, clock } = setting
  const id = await proven(setting, account, 'missing.example')
  const { workspaceId } = await db
    .updateTable('domains')
    .set({ sendingStoppedAt: clock.now() })
    .where('id', '=', id)
    .returning('workspaceId')
    .executeTakeFirstOrThrow()
  const now = clock.now()
  const row = {
    ...{ domainId: id, workspaceId, step: 'stopped' as const, lookedAt: now, stopsAt: now },
    since: new Date(now.getTime() - 7 * DAY),
    releasesAt: new Date(now.getTime() + 30 * DAY),
  }
  await db
    .insertInto('missingProofs')
    .values(row)
    .onConflict((conflict) => conflict.constraint('missing_proofs_pkey').doUpdateSet(row))
    .execute()
  const releasedAt = new Date(now.getTime() - DAY)
  await db
    .insertInto('releasedDomains')
    .values({
      ...{ id: newId(), workspaceId, name: 'released.example', reason: 'proof-missing' },
      ...{ mailboxCount: 3, releasedAt },
    })
    .execute()
  return id
}
