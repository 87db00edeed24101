/** The link with which the holder of a mailbox sets their password: handed over, or mailed to a private address. */
import { AppError, invalidField } from '#contract/errors.ts'
import { ACCESS_LINK_DAYS, type makeAccessLink } from '#contract/mail/access.ts'
import type { Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { accountEmail } from '#server/features/accounts/account-email.ts'
import { endHolder, hasHolder } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendNetwork, spendThrottle } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { personOf, requireOutside } from '#server/features/workspaces/member-emails.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { findRecipient } from '../find-recipient.ts'
import { deleteLinks, endLinks, hasAccountWith, insertLink } from './access-links-store.ts'
import { writeDown } from './access-log.ts'
import { canSetUp, changeAccess, type Held, requireMailbox } from './require-mailbox.ts'

/** Of all workspaces together: nobody's mailbox is filled with links. */
const PER_ADDRESS = { limit: 5, windowSeconds: 3600 }
const PER_USER = { limit: 100, windowSeconds: DAY_SECONDS }
/** Accounts are free to make. */
const PER_NETWORK = { limit: 300, windowSeconds: DAY_SECONDS }

const NOT_PRIVATE =
  'This mailbox cannot be read before the link is used. Please give another address'
const EDITORS_OWN =
  'Whoever makes this link could open it and read the mail. An Editor makes it for mailboxes that they read; ask an Admin'

type Made = Output<typeof makeAccessLink>

/** The one made before ends. @throws NOT_EXISTS, FORBIDDEN, ACCOUNT_HAS_ADDRESS, VALIDATION on `email`, TOO_MANY_REQUESTS */
export const makeLink = async (
  app: App,
  who: Who,
  id: string,
  form: { email?: string | undefined },
): Promise<Made> => {
  const { email } = await requireMailbox(app, who, id)
  const mailTo = form.email === undefined ? null : accountEmail(form.email)
  if (mailTo !== null) {
    if (mailTo === email || (await landsIn(app, id, mailTo)))
      throw invalidField('email', NOT_PRIVATE)
    await requireOutside(app.db, who, mailTo)
    await allowMail(app, who, mailTo)
  }
  return changeAccess(app, who, id, (held) => make(app, who, held, mailTo))
}

/** By its name, an alias, a +tag, or as the catch-all. */
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
  if (!(await canSetUp(tx, { ...who, role: caller.role }, mailboxId)))
    throw new AppError('FORBIDDEN', { message: EDITORS_OWN })
  if (await hasAccountWith(tx, mailbox.email)) throw new AppError('ACCOUNT_HAS_ADDRESS')
  // Asked again behind the lock: a domain may have come meanwhile.
  if (mailedTo !== null) await requireOutside(tx, who, mailedTo)
  const createdAt = app.clock.now()
  const expiresAt = secondsAfter(createdAt, ACCESS_LINK_DAYS * DAY_SECONDS)
  const token = randomToken()
  await endLinks(tx, workspaceId, mailboxId, { outcome: 'withdrawn', endedAt: createdAt })
  await insertLink(tx, {
    ...{ tokenHash: hashToken(token), workspaceId, mailboxId, mailedTo, madeBy: who.userId },
    ...{ createdAt, expiresAt, endedAt: null, outcome: null },
  })
  await writeDown(app, tx, mailbox, {
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

/** Goes to a private address, at the wish of a member, who is named by the address that they have proven. */
export const accessMail = ({ senderEmail, email, isReset, link }: Content): Mail =>
  compose({
    subject: isReset ? `A new password for ${email}` : `Your mailbox ${email}`,
    greeting: 'Hello,',
    before: [
      isReset
        ? `${senderEmail} sends you this link to set a new password for the mailbox ${email}.`
        : `${senderEmail} has made the mailbox ${email} for you. Set a password, and sign in with that address.`,
    ],
    button: { label: 'Set a password', link },
    after: [
      `The link works once, for ${ACCESS_LINK_DAYS} days. Whoever has it can read the mail of this mailbox, so pass it on to nobody.`,
      'If you do not know who this is, ignore this mail: without you nothing happens.',
    ],
  })

const allowMail = async (app: App, who: Who, email: string): Promise<void> => {
  await spendThrottle(app, `access-links-to:${email}`, PER_ADDRESS)
  await spendThrottle(app, `access-links-by:${who.userId}`, PER_USER)
  await spendNetwork(app, 'access-links-from', who.ip, PER_NETWORK)
}

/** @throws NOT_EXISTS, also when it has just been used */
export const withdrawLink = (app: App, who: Who, id: string): Promise<void> =>
  changeAccess(app, who, id, async ({ tx, mailbox, caller }) => {
    const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
    if (!(await endLinks(tx, who.workspaceId, mailbox.id, ended))) throw new AppError('NOT_EXISTS')
    await writeDown(app, tx, mailbox, { kind: 'link-withdrawn', actor: personOf(caller) })
  })

/** Nobody signs in with the address any more; the mail stays, and goes on arriving. @throws NOT_EXISTS without a holder */
export const revokeAccess = (app: App, who: Who, id: string): Promise<void> =>
  changeAccess(app, who, id, async ({ tx, mailbox, caller }) => {
    if (!(await endHolder(tx, mailbox.id))) throw new AppError('NOT_EXISTS')
    const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
    await endLinks(tx, who.workspaceId, mailbox.id, ended)
    await writeDown(app, tx, mailbox, { kind: 'revoked', actor: personOf(caller) })
  })

const KEPT_SECONDS = 30 * 24 * 3600

/** Used and expired ones stay a while: "expired" is a better answer than "unknown". For a daily job. */
export const purgeAccessLinks = (app: App): Promise<void> =>
  deleteLinks(app.db, secondsAfter(app.clock.now(), -KEPT_SECONDS))
