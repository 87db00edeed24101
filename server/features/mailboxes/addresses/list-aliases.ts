import { AppError } from '#contract/errors.ts'
import type { Alias } from '#contract/mail/aliases.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { readMailbox } from '../mailboxes-store.ts'
import { type AliasRow, readAliases } from './aliases-store.ts'

/** Oldest first. */
export const listAliases = async (app: App, who: Who, mailboxId: string): Promise<Alias[]> => {
  const { workspaceId } = who
  const mailbox = isId(mailboxId) ? await readMailbox(app.db, workspaceId, mailboxId) : undefined
  if (!mailbox) throw new AppError('NOT_EXISTS')
  return (await readAliases(app.db, workspaceId, mailboxId)).map(toAlias)
}

export const toAlias = ({
  id,
  email,
  createdAt,
}: Pick<AliasRow, 'id' | 'email' | 'createdAt'>): Alias => ({
  _id: id,
  email,
  createdAt: createdAt.toISOString(),
})
