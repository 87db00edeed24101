/**
 * The holder of a mailbox: a user who signs in with its address, is in no workspace, and goes when the mailbox goes. Who may
 * ask for one is no matter of this folder (decision 024).
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { tryThrottle } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
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
  findHolderOf,
  hasOtherReaders,
  holdMailedLinks,
  isHostedDomain,
  lockMailedLinks,
  spendLinksMailedInto,
  spendLinksMailedTo,
} from './holders-store.ts'
import { forgetGuesses } from './passwords.ts'
import { endSessionsOf } from './session-store.ts'

type HeldMailbox = { id: string; email: string; firstName: string; lastName: string }

/**
 * The mailbox, locked, has a holder with this password: a new one, or the one who lost theirs, whose sessions and known
 * browsers end. A sign-up for the address that nobody proved gives way.
 * @throws ACCOUNT_HAS_ADDRESS
 */
export const openHolder = async (
  app: App,
  tx: Db,
  mailbox: HeldMailbox,
  { passwordHash, ip }: { passwordHash: string; ip: string },
): Promise<{ userId: string; isNew: boolean }> => {
  const now = app.clock.now()
  const { id: mailboxId, email, firstName, lastName } = mailbox
  const holder = await findHolderOf(tx, mailboxId)
  await forgetGuesses(tx, email, ip)
  if (holder) {
    await updateUser(tx, holder.id, { passwordHash })
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
  if (!(await insertUser(tx, user))) throw new AppError('ACCOUNT_HAS_ADDRESS')
  return { userId: user.id, isNew: true }
}

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
  endLinksMailedInto(app, tx, domainOf(email))

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
 * Whether mail to the address of this account reaches somebody else here: in a mailbox of that address, an alias, the name
 * before a +tag or the catch-all of its domain, or by the role that postmaster@ and abuse@ stand for.
 * In a transaction: what it answers holds until that ends.
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

/** Anybody may type the address of a holder. */
const PER_WORKSPACE = { limit: 10, windowSeconds: 24 * 3600 }

/**
 * A holder who forgot their password cannot read a mail to the address that they lost, and whoever else reads it must not
 * get in by it: so the Admins are asked for a new link.
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

const forgottenMail = (
  { firstName }: Pick<UserRecord, 'firstName'>,
  email: string,
  link: string,
): Mail =>
  compose({
    subject: 'A new password is asked for',
    greeting: greet(firstName),
    before: [
      `somebody says that they forgot the password of the mailbox ${email}.`,
      'If you know that its holder asked, make a new link for them. No link was mailed to the mailbox itself, since they could not read it there.',
    ],
    button: { label: 'Open the access of this mailbox', link },
    after: ['If nobody you know asked, ignore this mail: the password stays as it is.'],
  })
