import { invalidField } from '#contract/errors.ts'
import { withoutDnsMails } from '#server/features/accounts/preferences/preference-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { domainOf, isRoleAddress } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { findAdmins, findMember } from './member-queries.ts'
import { isInOwnDomain } from './outside-store.ts'

type Person = { firstName: string; lastName: string; email: string }

/** The present name and address, for log entries: they stay readable when the account is deleted. */
export const personOf = ({ firstName, lastName, email }: Person): string => {
  const name = `${firstName} ${lastName}`.trim()
  return name === '' ? email : `${name} (${email})`
}

export const memberOf = (
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<Person | undefined> => findMember(db, workspaceId, userId)

/** The proven addresses of a workspace's Admins, for notices about its domains. */
export const adminEmails = async (db: Db, workspaceId: string): Promise<string[]> =>
  (await findAdmins(db, workspaceId)).map(({ email }) => email)

/** Of those, the ones who want mails about DNS. */
export const dnsMailEmails = async (db: Db, workspaceId: string): Promise<string[]> => {
  const admins = await findAdmins(db, workspaceId)
  const without = await withoutDnsMails(
    db,
    admins.map(({ userId }) => userId),
  )
  return admins.filter(({ userId }) => !without.has(userId)).map(({ email }) => email)
}

const BY_ROLE =
  'postmaster and abuse reach several people, who could all open the link. Please give the address of one person'
const OWN_DOMAIN =
  'Mail to this domain comes to your own workspace, where others could open the link. Please give an address outside of it'

/**
 * A link that gives rights must reach its recipient alone. A manager of mailboxes can direct any address of a domain here to
 * themselves, by an alias, a catch-all or a mailbox made anew; so none goes to a domain of the sender's workspaces.
 * @throws VALIDATION on `email`
 */
export const requireOutside = async (db: Db, { userId }: Who, email: string): Promise<void> => {
  if (isRoleAddress(email)) throw invalidField('email', BY_ROLE)
  const domain = domainOf(email)
  if (await isInOwnDomain(db, userId, domain)) throw invalidField('email', OWN_DOMAIN)
}
