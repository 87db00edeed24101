import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { endSessionsOf } from '../sessions/session-store.ts'
import { deleteHolder, findHolderOf, spendLinksMailedTo } from './holders-store.ts'

/** Nothing of the holder is left. The mailbox is locked. @returns false when it has none. */
export const endHolder = async (tx: Db, mailboxId: string): Promise<boolean> => {
  const hadHolder = await deleteHolder(tx, mailboxId)
  if (hadHolder) await announceSessionsEnded(tx)
  return hadHolder
}

/** The mailbox, locked, was just suspended: whoever signs in from here on is refused. */
export const signHolderOut = async (app: App, tx: Db, mailboxId: string): Promise<void> => {
  const holder = await findHolderOf(tx, mailboxId)
  if (!holder) return
  await endSessionsOf(tx, holder.id, app.clock.now())
  await announceSessionsEnded(tx)
}

export const hasHolder = async (db: Db, mailboxId: string): Promise<boolean> =>
  (await findHolderOf(db, mailboxId)) !== undefined

/** Somebody else begins to read this mailbox: what was mailed to it opens nobody's account any more. */
export const endMailedLinks = (app: App, tx: Db, { email }: { email: string }): Promise<void> =>
  spendLinksMailedTo(tx, email.slice(email.lastIndexOf('@') + 1), app.clock.now())
