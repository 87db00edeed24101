/** Mails a link to an address that somebody typed, so there are limits on all sides. */

import { type DnsLink, LINK_MAIL_COOLDOWN_SECONDS } from '#contract/dns/links.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { accountEmail } from '#server/features/accounts/account-email.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendNetwork, spendThrottle } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { toLink, urlOf } from './links.ts'
import { findOpenLink, updateLink } from './links-store.ts'

const COOLDOWN = { limit: 1, windowSeconds: LINK_MAIL_COOLDOWN_SECONDS }
/** Of all workspaces together: nobody's mailbox is filled with links. */
const PER_ADDRESS = { limit: 5, windowSeconds: 3600 }
const PER_USER = { limit: 50, windowSeconds: DAY_SECONDS }
/** Accounts are free to make. */
const PER_NETWORK = { limit: 200, windowSeconds: DAY_SECONDS }

/** @throws NOT_EXISTS, VALIDATION on `email`, TOO_MANY_REQUESTS */
export const mailLink = async (
  app: App,
  who: Who & { user: { email: string } },
  id: string,
  form: { email: string },
): Promise<DnsLink> => {
  const { workspaceId } = who
  const place = await requireLink(app, who, id)
  const email = accountEmail(form.email)
  await allowMail(app, who, id, email)
  return inTransaction(app.db, async (tx) => {
    await updateLink(tx, { id, workspaceId }, { sentTo: email })
    // Read last: it may have been revoked meanwhile.
    const link = await findOpenLink(tx, place, id)
    if (!link) throw new AppError('NOT_EXISTS')
    const mail = linkMail({
      senderEmail: who.user.email,
      domainName: toUnicodeDomain(link.domainName),
      link: urlOf(app, id),
      expiresAt: link.expiresAt,
    })
    await sendSystemMail(app, tx, { to: email, ...mail })
    await announceChange(tx, { topic: 'domains', workspaceId })
    logRight(app, tx, who, { what: 'dns-link', objectId: id, change: 'link-mailed', whose: email })
    return toLink(app, link)
  })
}

type Content = { senderEmail: string; domainName: string; link: string; expiresAt: Date }

/**
 * Goes to people who may never have heard of us, at the wish of a member. Who asks is named by the address that they have
 * proven, and nothing but the name of the domain is what anybody typed.
 */
export const linkMail = ({ senderEmail, domainName, link, expiresAt }: Content): Mail =>
  compose({
    subject: `DNS records to publish for ${domainName}`,
    greeting: 'Hello,',
    before: [
      `${senderEmail} asks you to publish the DNS records that let ${domainName} send and receive mail.`,
      'The page behind this link lists them, shows what stands in DNS right now, and says what to mend. You need no account.',
    ],
    button: { label: 'Open the records', link },
    after: [
      `The link works until ${dayOf(expiresAt)}. Whoever has it can open the page, so pass it on only to people who run this DNS.`,
      'If you do not know who this is, ignore this mail.',
    ],
  })

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const dayOf = (date: Date): string => days.format(date)

/** That it is open and of this workspace. @throws NOT_EXISTS */
export const requireLink = async (app: App, { workspaceId }: Who, id: string) => {
  const place = { workspaceId, now: app.clock.now() }
  if (!isId(id) || !(await findOpenLink(app.db, place, id))) throw new AppError('NOT_EXISTS')
  return place
}

const allowMail = async (app: App, who: Who, id: string, email: string): Promise<void> => {
  await spendThrottle(app, `mail-dns-link:${id.toLowerCase()}:${email}`, COOLDOWN)
  await spendThrottle(app, `dns-links-to:${email}`, PER_ADDRESS)
  await spendThrottle(app, `dns-links-by:${who.userId}`, PER_USER)
  await spendNetwork(app, 'dns-links-from', who.ip, PER_NETWORK)
}
