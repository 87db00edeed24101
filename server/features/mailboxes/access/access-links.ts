/** The link with which the holder of a mailbox sets their password: handed over, or mailed to a private address. */
import { AppError, invalidField } from '#contract/errors.ts'
import { ACCESS_LINK_DAYS, type makeAccessLink } from '#contract/mail/access.ts'
import type { MadeLinkOfMany } from '#contract/mail/many-access-links.ts'
import type { Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { accountEmail } from '#server/features/accounts/account-email.ts'
import { endHolder, hasHolder } from '#server/features/accounts/holders.ts'
import { hasAccountWith } from '#server/features/accounts/user-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type MailedLink, spendMailedLink } from '#server/features/limits/mailed-links.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { personOf, requireOutside } from '#server/features/workspaces/member-emails.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { findRecipient } from '../find-recipient.ts'
import { readMailbox } from '../mailbox-queries.ts'
import { endLinks } from '../mailboxes-store.ts'
import { deleteLinks, insertLink } from './access-links-store.ts'
import { logAccess } from './access-log.ts'
import { linkLimits } from './link-limits.ts'
import { canSetUp, changeAccess, type Held, requireMailbox } from './require-mailbox.ts'

const NOT_PRIVATE =
  'This mailbox cannot be read before the link is used. Please give another address'
const EDITORS_OWN =
  'The maker of this link could open it and read the mail. Editors can make it only for mailboxes that they read; ask an Admin'

type Made = Output<typeof makeAccessLink>

/** Ends the previous link. @throws NOT_EXISTS, FORBIDDEN, ACCOUNT_HAS_ADDRESS, VALIDATION on `email`, TOO_MANY_REQUESTS */
export const makeLink = async (
  app: App,
  who: Who,
  id: string,
  form: { email?: string | undefined },
  limits?: MailedLink,
): Promise<Made> => {
  const { email } = await requireMailbox(app, who, id)
  const mailTo = form.email === undefined ? null : accountEmail(form.email)
  if (mailTo !== null) {
    if (mailTo === email || (await landsIn(app, id, mailTo)))
      throw invalidField('email', NOT_PRIVATE)
    await requireOutside(app.db, who, mailTo)
    await spendMailedLink(app, who, mailTo, limits ?? (await linkLimits(app, who)))
  }
  return changeAccess(app, who, id, (held) => make(app, who, held, mailTo))
}

const HAS_HOLDER = 'Its holder signs in already. To reset the password, open its access'
const NO_MAILBOX = 'There is no such mailbox'

type Asked = { mailboxId: string; email?: string | undefined }

/** Each in a transaction of its own: a refused one says why, and does not stop the others. */
export const makeLinks = async (
  app: App,
  who: Who,
  asked: readonly Asked[],
): Promise<MadeLinkOfMany[]> => {
  const made: MadeLinkOfMany[] = []
  const limits = await linkLimits(app, who)
  for (const each of asked) made.push(await makeOneOfMany(app, who, each, limits))
  return made
}

const makeOneOfMany = async (
  app: App,
  who: Who,
  { mailboxId, email }: Asked,
  limits: MailedLink,
): Promise<MadeLinkOfMany> => {
  const mailbox = isId(mailboxId)
    ? await readMailbox(app.db, who.workspaceId, mailboxId)
    : undefined
  const refused = { mailboxId, email: mailbox?.email ?? '', link: null, mailedTo: null }
  const refuse = (refusal: string, retryAt: string | null = null) => ({
    ...{ ...refused, expiresAt: null, refusal, retryAt },
  })
  if (!mailbox) return refuse(NO_MAILBOX)
  if (await hasHolder(app.db, mailbox.id)) return refuse(HAS_HOLDER)
  try {
    const link = await makeLink(app, who, mailbox.id, { email }, limits)
    return { mailboxId, email: mailbox.email, ...link, refusal: null, retryAt: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { email: atAddress, reason } = error.data
    if (error.retryAfterSeconds !== undefined) {
      const retryAt = secondsAfter(app.clock.now(), error.retryAfterSeconds).toISOString()
      return refuse(typeof reason === 'string' ? reason : error.message, retryAt)
    }
    return refuse(typeof atAddress === 'string' ? atAddress : error.message)
  }
}

/** Whether mail for the address arrives in the mailbox: by its name, an alias, a +tag, or as the catch-all. */
const landsIn = async (app: App, mailboxId: string, address: string): Promise<boolean> => {
  const recipient = await findRecipient(app, address)
  return recipient.kind === 'mailbox' && recipient.mailboxId === mailboxId
}

const make = async (
  app: App,
  who: Who,
  { tx, mailbox, caller }: Held,
  mailedTo: string | null,
): Promise<Made> => {
  const { workspaceId, id: mailboxId } = mailbox
  if (!(await canSetUp(app, tx, { ...who, role: caller.role }, mailboxId)))
    throw new AppError('FORBIDDEN', { message: EDITORS_OWN })
  if (await hasAccountWith(tx, mailbox.email)) throw new AppError('ACCOUNT_HAS_ADDRESS')
  // Checked again after locking: the domain may have been added in the meantime.
  if (mailedTo !== null) await requireOutside(tx, who, mailedTo)
  const createdAt = app.clock.now()
  const expiresAt = secondsAfter(createdAt, ACCESS_LINK_DAYS * DAY_SECONDS)
  const token = randomToken()
  await endLinks(tx, workspaceId, mailboxId, { outcome: 'withdrawn', endedAt: createdAt })
  await insertLink(tx, {
    ...{ tokenHash: hashToken(token), workspaceId, mailboxId, mailedTo, madeBy: who.userId },
    ...{ createdAt, expiresAt, endedAt: null, outcome: null },
  })
  await logAccess(app, tx, mailbox, {
    kind: mailedTo === null ? 'link-made' : 'link-mailed',
    actor: personOf(caller),
    subject: mailedTo ?? '',
  })
  const link = `${app.config.publicUrl}/mailbox-access?token=${token}`
  if (mailedTo !== null) {
    const isReset = await hasHolder(tx, mailboxId)
    const mail = accessMail({ senderEmail: caller.email, email: mailbox.email, isReset, link })
    await sendSystemMail(app, tx, { to: mailedTo, ...mail })
  }
  return { link: mailedTo === null ? link : null, mailedTo, expiresAt: expiresAt.toISOString() }
}

type Content = { senderEmail: string; email: string; isReset: boolean; link: string }

/** Mailed to a private address at a member's request; names the member by their verified address. */
export const accessMail = ({ senderEmail, email, isReset, link }: Content): Mail =>
  compose({
    subject: isReset ? `A new password for ${email}` : `Your mailbox ${email}`,
    preview: `Set a password within ${ACCESS_LINK_DAYS} days, and sign in with it.`,
    greeting: 'Hello,',
    before: [
      isReset
        ? `${senderEmail} sends you this link to set a new password for the mailbox ${email}.`
        : `${senderEmail} has made the mailbox ${email} for you. Set a password to open it.`,
    ],
    button: { label: 'Set a password', link },
    after: [
      `The link works once, for ${ACCESS_LINK_DAYS} days. Anyone who has it can read the mail of this mailbox, so do not forward it.`,
      `From then on, sign in with the address ${email} and your password at ${new URL('/login', link).href}`,
      'If you do not know who this is, you can ignore this mail.',
    ],
    reason: `You get this mail because ${senderEmail} gave this address as yours.`,
  })

/** @throws NOT_EXISTS, also when the link was just used */
export const withdrawLink = (app: App, who: Who, id: string): Promise<void> =>
  changeAccess(app, who, id, async ({ tx, mailbox, caller }) => {
    const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
    if (!(await endLinks(tx, who.workspaceId, mailbox.id, ended))) throw new AppError('NOT_EXISTS')
    await logAccess(app, tx, mailbox, { kind: 'link-withdrawn', actor: personOf(caller) })
  })

/** Ends the holder's sign-in; the mail stays, and new mail still arrives. @throws NOT_EXISTS without a holder */
export const revokeAccess = (app: App, who: Who, id: string): Promise<void> =>
  changeAccess(app, who, id, async (held) => {
    if (!(await endSignIn(app, held))) throw new AppError('NOT_EXISTS')
  })

/** Ends the holder with sessions, the rights to read other mailboxes, and the link that waits. @returns false without a holder */
export const endSignIn = async (app: App, { tx, mailbox, caller }: Held): Promise<boolean> => {
  const actor = personOf(caller)
  const hadHolder = await endHolder(tx, mailbox.id)
  const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
  const hadLink = await endLinks(tx, mailbox.workspaceId, mailbox.id, ended)
  if (hadHolder) await logAccess(app, tx, mailbox, { kind: 'revoked', actor })
  else if (hadLink) await logAccess(app, tx, mailbox, { kind: 'link-withdrawn', actor })
  return hadHolder
}

const KEPT_SECONDS = 30 * DAY_SECONDS

/** For a daily job. Used and expired links are kept for a while, since "expired" is a better answer than "unknown". */
export const purgeAccessLinks = (app: App): Promise<void> =>
  deleteLinks(app.db, secondsAfter(app.clock.now(), -KEPT_SECONDS))
