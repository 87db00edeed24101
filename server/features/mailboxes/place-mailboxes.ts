/** The rules for new addresses, made one by one, in bulk or by an edit. */
import { domainCan } from '#contract/domains.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { EMAIL_OUTSIDE_DOMAIN, limitSentence, type Mailbox } from '#contract/mailboxes.ts'
import type { OperatedSettings } from '#contract/operator/settings.ts'
import type { App } from '#server/app.ts'
import type { DomainRow } from '#server/features/domains/domain-queries.ts'
import { settingsNow } from '#server/features/operators/chosen-settings.ts'
import { domainToAscii, isRoleName, parseAddress } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { countMailboxes } from './new-mailboxes-store.ts'

export const NOT_YOUR_DOMAIN = 'This domain is not in your workspace'
export const RESERVED_ADDRESS =
  'postmaster and abuse reach the administrators of the workspace and cannot be given away'

/** The stored form of a domain name: lower case, A-labels. */
export const storedDomainName = (name: string, field: string): string => {
  const ascii = domainToAscii(name)
  if (ascii === null) throw invalidField(field, NOT_YOUR_DOMAIN)
  return ascii
}

/**
 * The stored form of the address, and its domain.
 * @throws when it is no address, or is reserved for a role.
 */
export const storedAddress = (email: string): { email: string; domain: string } => {
  const address = parseAddress(email)
  if (address === null) throw invalidField('email', 'Invalid email address')
  if (isRoleName(address.local)) throw invalidField('email', RESERVED_ADDRESS)
  return { email: address.address, domain: address.domain }
}

export const outsideDomain = (): AppError => invalidField('email', EMAIL_OUTSIDE_DOMAIN)

/** @throws when the domain is missing from the workspace or not active. */
export const requireActive = (
  domain: DomainRow | undefined,
  field: string,
  message = NOT_YOUR_DOMAIN,
): DomainRow => {
  if (!domain) throw invalidField(field, message)
  const { isVerified, isActive } = domain
  if (!domainCan.takeMailboxes({ isVerified, status: isActive ? 'active' : 'inactive' }))
    throw new AppError('DOMAIN_NOT_ACTIVE', { data: { domain: domain.name } })
  return domain
}

/** How many mailboxes the domain may have (decision 083). */
export const mailboxLimitOf = (
  { domainMailboxLimit }: Pick<OperatedSettings, 'domainMailboxLimit'>,
  { mailboxLimit }: Pick<DomainRow, 'mailboxLimit'>,
): number => mailboxLimit ?? domainMailboxLimit

/** @throws MAILBOX_LIMIT when one of these locked domains has fewer free places than `wanted`. */
export const requirePlaces = async (
  app: App,
  db: Db,
  workspaceId: string,
  domains: DomainRow[],
  wanted: number,
): Promise<void> => {
  const settings = await settingsNow({ ...app, db })
  const counts = await countMailboxes(
    db,
    workspaceId,
    domains.map((domain) => domain.id),
  )
  for (const domain of domains) {
    const limit = mailboxLimitOf(settings, domain)
    const free = Math.max(0, limit - (counts.get(domain.id) ?? 0))
    if (free < wanted)
      throw new AppError('MAILBOX_LIMIT', {
        data: { domain: domain.name, free, limit },
        message:
          free === 0
            ? `This domain has no free mailbox left. ${limitSentence(limit)}`
            : `${domain.name} has room for ${free} more, and ${wanted} are asked for. ${limitSentence(limit)}`,
      })
  }
}

/** With billing off, new mailboxes are active at once. */
export const firstStatus = (app: App): Mailbox['status'] =>
  app.config.billing === 'off' ? 'active' : 'inactive'

/** Announces domains too, since their list shows the number of mailboxes. */
export const announceMailboxes = async (db: Db, workspaceId: string): Promise<void> => {
  await announceChange(db, { topic: 'mailboxes', workspaceId })
}
