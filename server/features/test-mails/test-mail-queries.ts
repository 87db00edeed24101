import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { type Move, moveByDomain } from '#server/storage/move-rows.ts'

/** One whose mailbox has got an address of another domain since would be of two workspaces. */
export const moveTestMailRows = async (db: Db, move: Move): Promise<void> => {
  const { domainId, mailboxIds, from } = move
  await db
    .deleteFrom('testMails')
    .where('workspaceId', '=', from)
    .where(
      sql<boolean>`(domain_id = ${domainId}) <> (mailbox_id = any(${[...mailboxIds]}::uuid[]))`,
    )
    .execute()
  await moveByDomain(db, move, ['test_mails'])
}
