import type { Domain } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { type ListedDomain, readDomainList } from './domain-list-store.ts'
import { readHolder } from './domain-queries.ts'

export const listDomains = async (app: App, who: Who): Promise<Domain[]> =>
  (await readDomainList(app.db, who.workspaceId, who.reach?.domainIds)).map(toDomain)

export const getDomain = async (app: App, who: Who, id: string): Promise<Domain> => {
  const [row] = isId(id) ? await readDomainList(app.db, who.workspaceId, [id]) : []
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
  needsWork: row.needsWork,
  uncheckedSince: row.uncheckedSince?.toISOString() ?? null,
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
  /** When all records were first verified; from then on the domain may send, also while a record is broken. */
  activatedAt: Date | null
  /** true: its proof has been missing for a week, so it sends and receives nothing. */
  isSendingStopped: boolean
}

/**
 * The domain with proven ownership of a name, active or not. `name` in A-labels.
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
