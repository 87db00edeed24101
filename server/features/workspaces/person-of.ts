import type { Db } from '#server/storage/database.ts'
import { findMember } from './members-store.ts'

type Person = { firstName: string; lastName: string; email: string }

/** As they are called now: what is written down says so also when they are gone. */
export const personOf = ({ firstName, lastName, email }: Person): string => {
  const name = `${firstName} ${lastName}`.trim()
  return name === '' ? email : `${name} (${email})`
}

export const memberOf = (
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<Person | undefined> => findMember(db, workspaceId, userId)
