import type { App } from '#server/app.ts'
import { baseOf } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { endSessionsOf } from '../sessions/session-store.ts'
import {
  deleteHolder,
  findHolderOf,
  lockMailedLinks,
  spendLinksMailedInto,
  spendLinksMailedTo,
} from './holders-store.ts'

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

/**
 * Somebody else begins to read this mailbox, or gets the mail of this domain: what was mailed there opens nobody's account
 * any more. Which of its addresses reach the mailbox is not asked: a link is asked for again.
 */
export const endMailedLinks = (app: App, tx: Db, { email }: { email: string }): Promise<void> =>
  endLinksMailedInto(app, tx, email.slice(email.lastIndexOf('@') + 1))

export const endLinksMailedInto = async (app: App, tx: Db, domain: string): Promise<void> => {
  await lockMailedLinks(tx, [domain])
  await spendLinksMailedInto(tx, domain, app.clock.now())
}

/** The same for addresses that are new here, with each of their +tags: mail on its way is filed there from now on. */
export const endLinksMailedTo = async (
  app: App,
  tx: Db,
  emails: readonly string[],
): Promise<void> => {
  const parts = emails.map((email) => {
    const at = email.lastIndexOf('@')
    return { local: baseOf(email.slice(0, at)), domain: email.slice(at + 1) }
  })
  await lockMailedLinks(
    tx,
    parts.map(({ domain }) => domain),
  )
  const untagged = parts.map(({ local, domain }) => `${local}@${domain}`)
  await spendLinksMailedTo(tx, untagged, app.clock.now())
}
