/** What a narrowed key does not reach is to its caller as if it did not exist (decision 120). */
import { AppError } from '#contract/errors.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type DomainRow, lockDomains } from '#server/features/domains/domain-queries.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { readAnyMailbox } from './mailbox-queries.ts'

/** @throws NOT_EXISTS */
export const requireReach = async (
  db: Db,
  { reach, workspaceId }: Who,
  kind: 'domain' | 'mailbox',
  givenId: string,
): Promise<void> => {
  if (reach === undefined) return
  const id = givenId.toLowerCase()
  if (kind === 'domain') {
    if (!reach.domainIds.includes(id)) throw new AppError('NOT_EXISTS')
    return
  }
  if (reach.mailboxIds.includes(id)) return
  if (!isId(id) || reach.domainIds.length === 0) throw new AppError('NOT_EXISTS')
  const mailbox = await readAnyMailbox(db, workspaceId, id)
  if (!mailbox || !reach.domainIds.includes(mailbox.domainId)) throw new AppError('NOT_EXISTS')
}

/** Locks the domains on which the caller makes addresses. */
export const lockPlaces = async (
  tx: Db,
  { reach, workspaceId }: Who,
  names: string[],
): Promise<DomainRow[]> => {
  const domains = await lockDomains(tx, workspaceId, names)
  return reach === undefined ? domains : domains.filter(({ id }) => reach.domainIds.includes(id))
}
