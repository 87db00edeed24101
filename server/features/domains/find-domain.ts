import type { Domain } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { type ListedDomain, readDomainList, readHolder } from './domains-store.ts'

export const listDomains = async (app: App, who: Who): Promise<Domain[]> =>
  (await readDomainList(app.db, who.workspaceId)).map(toDomain)

export const getDomain = async (app: App, who: Who, id: string): Promise<Domain> => {
  const [row] = isId(id) ? await readDomainList(app.db, who.workspaceId, id) : []
  if (!row) throw new AppError('NOT_EXISTS')
  return toDomain(row)
}

const toDomain = (row: ListedDomain): Domain => ({
  _id: row.id,
  name: row.name,
  unicodeName: toUnicodeDomain(row.name),
  isVerified: row.isVerified,
  status: row.isActive ? 'active' : 'inactive',
  requiredRecords: row.requiredRecords,
  verifiedRecords: row.verifiedRecords,
  dnsStatus: dnsStatusOf(row),
  mailboxes: row.mailboxes,
  catchAll: catchAllOf(row),
  createdAt: row.createdAt.toISOString(),
})

const catchAllOf = ({ catchAllId, catchAllEmail }: ListedDomain) =>
  catchAllId === null || catchAllEmail === null
    ? null
    : { mailboxId: catchAllId, email: catchAllEmail }

const dnsStatusOf = ({ requiredRecords, verifiedRecords, failedRecords }: ListedDomain) => {
  if (failedRecords > 0) return 'Failed'
  return requiredRecords > 0 && verifiedRecords === requiredRecords ? 'Verified' : 'Pending'
}

export type VerifiedDomain = {
  id: string
  workspaceId: string
  name: string
  isActive: boolean
  /** Since then it may send, also while a record is broken. */
  activatedAt: Date | null
  /** Its proof has been missing for a week: it receives and sends nothing. */
  isSendingStopped: boolean
}

/**
 * Whose domain a name is. Only proven ownership counts; whether the domain is active does not matter for receiving.
 * `name` in A-labels.
 */
export const findVerifiedDomain = async (
  app: App,
  name: string,
): Promise<VerifiedDomain | null> => {
  const row = await readHolder(app.db, name.toLowerCase())
  if (!row) return null
  const { id, workspaceId, isActive, activatedAt } = row
  const isSendingStopped = row.sendingStoppedAt !== null
  return { id, workspaceId, name: row.name, isActive, activatedAt, isSendingStopped }
}
