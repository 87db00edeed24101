/**
 * The holder of a mailbox: a user who signs in with its address, is in no workspace, and is deleted with the mailbox. The
 * caller checks permissions (decision 024).
 */

import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { tryThrottle } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { baseOf, domainOf, isRoleName, localPartOf } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import {
  deleteUnverifiedUser,
  forgetDevices,
  insertUser,
  type UserRecord,
  updateUser,
} from './auth-store.ts'
import {
  adminsOfMailbox,
  deleteHolder,
  endSessionsOfHolders,
  findHolderOf,
  hasOtherReaders,
  holdMailedLinks,
  isHostedDomain,
  lockMailedLinks,
  noteUntold,
  spendLinksMailedInto,
  spendLinksMailedTo,
} from './holders-store.ts'
import { forgetGuesses } from './passwords.ts'
import { type Client, type Entered, startSession } from './start-session.ts'
import { endSessionsOf } from './user-queries.ts'

type HeldMailbox = { id: string; email: string; firstName: string; lastName: string }

/**
 * Gives the locked mailbox a holder with this password: a new holder, or the present one, whose sessions and known
 * browsers end. `mailedTo`: where the link was mailed to. An unverified sign-up for the address is deleted.
 * @throws ACCOUNT_HAS_ADDRESS
 */
export const openHolder = async (
  app: App,
  tx: Db,
  mailbox: HeldMailbox,
  { passwordHash, ip, mailedTo }: { passwordHash: string; ip: string; mailedTo: string | null },
): Promise<{ userId: string; isNew: boolean }> => {
  const now = app.clock.now()
  const { id: mailboxId, email, firstName, lastName } = mailbox
  const holder = await findHolderOf(tx, mailboxId)
  await forgetGuesses(tx, email, ip)
  if (holder) {
    await updateUser(tx, holder.id, {
      ...{ passwordHash, privateEmail: mailedTo },
      appPasswordsFrom: now,
    })
    await endSessionsOf(tx, holder.id, now)
    await forgetDevices(tx, holder.id)
    await announceSessionsEnded(tx)
    return { userId: holder.id, isNew: false }
  }
  await deleteUnverifiedUser(tx, email)
  const user: UserRecord = {
    ...{ id: newId(), email, firstName, lastName, passwordHash, mailboxId },
    ...{ avatar: null, currentWorkspaceId: null, lastLoginAt: null },
    ...{ verifiedAt: now, createdAt: now },
  }
  if (!(await insertUser(tx, { ...user, privateEmail: mailedTo })))
    throw new AppError('ACCOUNT_HAS_ADDRESS')
  return { userId: user.id, isNew: true }
}

/** Signs the holder of the locked mailbox in. @returns null while it is suspended. */
export const signHolderIn = async (
  app: App,
  tx: Db,
  { id, status }: { id: string; status: string },
  client: Client,
): Promise<Entered | null> => {
  const holder = await findHolderOf(tx, id)
  if (!holder || status === 'suspended') return null
  return startSession(app, tx, holder, client, 'mailed-link')
}

/** Deletes the holder of the locked mailbox. @returns false when it has none. */
export const endHolder = async (tx: Db, mailboxId: string): Promise<boolean> => {
  const hadHolder = await deleteHolder(tx, mailboxId)
  if (hadHolder) await announceSessionsEnded(tx)
  return hadHolder
}

/** Ends the sessions of locked mailboxes that were just suspended; later sign-ins are refused. */
export const signHoldersOut = async (
  app: App,
  tx: Db,
  mailboxIds: readonly string[],
): Promise<void> => {
  if (mailboxIds.length === 0) return
  await endSessionsOfHolders(tx, mailboxIds, app.clock.now())
  await tellHolders(tx, mailboxIds)
  await announceSessionsEnded(tx)
}

/** A loop tells them that their mailboxes are suspended, or not any more; those of whom a private address is known. */
export const tellHolders = async (tx: Db, mailboxIds: readonly string[]): Promise<void> => {
  if (mailboxIds.length > 0) await noteUntold(tx, mailboxIds)
}

export const hasHolder = async (db: Db, mailboxId: string): Promise<boolean> =>
  (await findHolderOf(db, mailboxId)) !== undefined

/**
 * Another person begins to read this mailbox, or to receive the mail of this domain: voids links that were mailed there.
 * Not narrowed to the addresses that reach the mailbox: a voided link can be requested again.
 */
export const endMailedLinks = (app: App, tx: Db, { email }: { email: string }): Promise<void> =>
  endLinksMailedInto(app, tx, domainOf(email))

export const endLinksMailedInto = async (app: App, tx: Db, domain: string): Promise<void> => {
  await lockMailedLinks(tx, [domain])
  await spendLinksMailedInto(tx, domain, app.clock.now())
}

/** The same for new addresses, with every +tag: mail on its way will be filed there. */
export const endLinksMailedTo = async (
  app: App,
  tx: Db,
  emails: readonly string[],
): Promise<void> => {
  const parts = emails.map((email) => ({
    local: baseOf(localPartOf(email)),
    domain: domainOf(email),
  }))
  await lockMailedLinks(
    tx,
    parts.map(({ domain }) => domain),
  )
  const untagged = parts.map(({ local, domain }) => `${local}@${domain}`)
  await spendLinksMailedTo(tx, untagged, app.clock.now())
}

/**
 * Whether mail to the address of this account reaches another person here: through a mailbox, an alias, the name
 * before a +tag, the catch-all of its domain, or the role addresses postmaster@ and abuse@.
 * Call in a transaction: the answer holds until it ends.
 */
export const isReadByOthers = async (
  app: App,
  db: Db,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): Promise<boolean> => {
  const [local, domain] = [localPartOf(email), domainOf(email)]
  await holdMailedLinks(db, domain)
  if (isRoleName(local)) return domain === app.config.mailHost || isHostedDomain(db, domain)
  return hasOtherReaders(db, { id, email, base: `${baseOf(local)}@${domain}`, domain })
}

/** A stranger may type the address of a holder. */
const PER_WORKSPACE = { limit: 10, windowSeconds: DAY_SECONDS }

/**
 * A holder who forgot the password cannot read mail to that address, and other readers of it must not
 * sign in by it: so the mail asks the Admins for a new link.
 */
export const askAdmins = async (app: App, email: string, mailboxId: string): Promise<void> => {
  const admins = await adminsOfMailbox(app.db, mailboxId)
  const [first] = admins
  if (!first) return
  if ((await tryThrottle(app, `holder-asks:${first.workspaceId}`, PER_WORKSPACE)) > 0) return
  const link = `${app.config.publicUrl}/dashboard/mailbox-access?mailbox=${mailboxId}`
  await app.db.transaction().execute(async (tx) => {
    for (const admin of admins)
      await sendSystemMail(app, tx, { to: admin.email, ...forgottenMail(admin, email, link) })
  })
}

export const forgottenMail = (
  { firstName }: Pick<UserRecord, 'firstName'>,
  email: string,
  link: string,
): Mail =>
  compose({
    subject: `A new password is requested for ${email}`,
    preview: 'If its holder asked for it, make a new link for them.',
    greeting: greet(firstName),
    before: [
      `We got a request for a new password for the mailbox ${email}.`,
      'If it came from its holder, please make a new link for them. We mailed no link to the mailbox itself, because its holder could not read it there.',
    ],
    button: { label: 'Open the access of this mailbox', link },
    after: ['If the holder did not ask, you can ignore this mail: the password stays as it is.'],
    reason: 'You get this mail as an Admin of the workspace that the mailbox is in.',
  })
