import { deletedSentence } from '#contract/deletions.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Db } from '#server/storage/database.ts'
import { takenAddresses } from './addresses-store.ts'

/**
 * If the domain of the address is locked, the answer stays true until the transaction ends.
 * @throws VALIDATION at `email` when the mailbox was deleted and could be restored; MAILBOX_EXISTS, or ADDRESS_TAKEN when it is an alias, which names its mailbox.
 */
export const requireFree = async (db: Db, workspaceId: string, email: string): Promise<void> => {
  const holder = (await takenAddresses(db, [email])).get(email)
  if (!holder) return
  const isOurs = holder.workspaceId === workspaceId
  if (isOurs && holder.endsAt !== null)
    throw invalidField('email', deletedSentence(holder.mailboxEmail, holder.endsAt))
  if (!holder.isAlias) throw new AppError('MAILBOX_EXISTS')
  const message = `This address is an alias of ${holder.mailboxEmail}`
  throw new AppError('ADDRESS_TAKEN', isOurs ? { message } : {})
}
