/** Mails a link to an address that a member typed. */

import { type DnsLink, LINK_MAIL_COOLDOWN_SECONDS } from '#contract/dns/links.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { accountEmail } from '#server/features/accounts/account-email.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendMailedLink } from '#server/features/limits/mailed-links.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { findOpenLink, updateLink } from './link-queries.ts'
import { toLink, urlOf } from './links.ts'

const LIMITS = { kind: 'dns-links', perUser: 50, perNetwork: 200 } as const

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
  const key = `mail-dns-link:${id.toLowerCase()}:${email}`
  const same = { key, cooldownSeconds: LINK_MAIL_COOLDOWN_SECONDS }
  await spendMailedLink(app, who, email, { ...LIMITS, same })
  return inTransaction(app, async (tx) => {
    await updateLink(tx, { id, workspaceId }, { sentTo: email })
    // Read in the transaction: the link may have been revoked in the meantime.
    const link = await findOpenLink(tx, place, id)
    if (!link) throw new AppError('NOT_EXISTS')
    const mail = linkMail({
      senderEmail: who.user.email,
      domainNames: link.domains.map(({ name }) => toUnicodeDomain(name)),
      link: urlOf(app, link),
      expiresAt: link.expiresAt,
    })
    await sendSystemMail(app, tx, { to: email, ...mail })
    await announceChange(tx, { topic: 'domains', workspaceId })
    logRight(app, tx, who, { what: 'dns-link', objectId: id, change: 'link-mailed', whose: email })
    return toLink(app, link)
  })
}

type Content = {
  senderEmail: string
  domainNames: readonly string[]
  link: string
  expiresAt: Date
}

/** More of them stand on the page. */
const NAMED = 20

/**
 * Mailed at a member's request to people who may not know Mailstead. It names the member by their verified address, and
 * contains no text that a user typed, except the names of domains.
 */
export const linkMail = ({ senderEmail, domainNames, link, expiresAt }: Content): Mail => {
  const [first = '', ...others] = domainNames
  const domains = others.length === 0 ? first : `${domainNames.length} domains`
  const more = domainNames.length - NAMED
  return compose({
    subject: `DNS records to publish for ${domains}`,
    preview: `${senderEmail} asks you to publish them. You need no account.`,
    greeting: 'Hello,',
    before: [
      `${senderEmail} asks you to publish the DNS records that let ${domains} send and receive mail.`,
      ...(others.length === 0
        ? []
        : [
            `The domains are ${domainNames.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
          ]),
      'The page behind this link lists them, shows what is in DNS now, and says what to correct. You need no account.',
    ],
    button: { label: 'Open the records', link },
    after: [
      `The link works until ${dayOf(expiresAt)}. Anyone who has it can open the page, so share it only with people who run this DNS.`,
      'If you do not know who this is, you can ignore this mail.',
    ],
    reason: `You get this mail because ${senderEmail} gave your address as that of the person who runs the DNS.`,
  })
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const dayOf = (date: Date): string => days.format(date)

/** Returns the link if it is open and belongs to this workspace. @throws NOT_EXISTS */
export const requireLink = async (app: App, { workspaceId }: Who, id: string) => {
  const place = { workspaceId, now: app.clock.now() }
  if (!isId(id) || !(await findOpenLink(app.db, place, id))) throw new AppError('NOT_EXISTS')
  return place
}
