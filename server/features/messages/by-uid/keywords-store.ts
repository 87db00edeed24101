/** The keywords that mail programs have given in a mailbox, each in one spelling: letters of any case are the same (RFC 9051 §2.3.2). */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { Place } from '../bulk-store.ts'

/** In the order in which they came. */
export const keywordsOf = async (db: Db, { workspaceId, mailboxId }: Place): Promise<string[]> => {
  const rows = await db
    .selectFrom('mailboxKeywords')
    .select('keyword')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .orderBy('place')
    .execute()
  return rows.map(({ keyword }) => keyword)
}

/** The caller has locked the mailbox, and looked which ones are new. */
export const insertKeywords = async (
  tx: Db,
  { workspaceId, mailboxId }: Place,
  { keywords, after }: { keywords: readonly string[]; after: number },
): Promise<void> => {
  await sql`
    insert into mailbox_keywords (mailbox_id, workspace_id, keyword, place)
    select ${mailboxId}, ${workspaceId}, keyword, ${after}::int + place
    from unnest(${[...keywords]}::text[]) with ordinality as given (keyword, place)
    on conflict do nothing`.execute(tx)
}
