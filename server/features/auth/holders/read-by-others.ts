import type { App } from '#server/app.ts'
import { baseOf, isRoleName } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import type { UserRecord } from '../auth-store.ts'
import { hasOtherReaders, holdMailedLinks, isHostedDomain } from './holders-store.ts'

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
  const [local = '', domain = ''] = email.split('@')
  await holdMailedLinks(db, domain)
  if (isRoleName(local)) return domain === app.config.mailHost || isHostedDomain(db, domain)
  return hasOtherReaders(db, { id, email, base: `${baseOf(local)}@${domain}`, domain })
}
