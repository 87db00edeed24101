/** Who can be given a mailbox, in the database: the members of the workspace and the holders of its mailboxes. */
import { type RawBuilder, sql } from 'kysely'
import type { CallerRole } from '#contract/rights.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import { literally } from '#server/lib/plain-text.ts'
import type { Db } from '#server/storage/database.ts'

export type PersonRow = {
  userId: string
  firstName: string
  lastName: string
  email: string
  role: CallerRole
  lastLoginAt: Date | null
  /** The mailbox whose holder they are. */
  mailboxId: string | null
}

/** The name and address of a holder are those of the mailbox, which may have been renamed. */
const people = (db: Db, workspaceId: string) => sql<PersonRow>`
  select users.id as user_id, users.first_name, users.last_name, users.email, members.role,
    users.last_login_at, null::uuid as mailbox_id
  from ${memberRows(db)} members join ${userRows(db)} users on users.id = members.user_id
  where members.workspace_id = ${workspaceId} and users.mailbox_id is null
  union all
  select users.id, mailboxes.first_name, mailboxes.last_name, users.email, 'Holder',
    users.last_login_at, mailboxes.id
  from mailboxes join ${userRows(db)} users on users.mailbox_id = mailboxes.id
  where mailboxes.workspace_id = ${workspaceId}`

const select = async (db: Db, workspaceId: string, rest: RawBuilder<unknown>) =>
  (await sql<PersonRow>`select * from (${people(db, workspaceId)}) people ${rest}`.execute(db)).rows

export const findPerson = async (
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<PersonRow | undefined> =>
  (await select(db, workspaceId, sql`where user_id = ${userId}`))[0]

/** Those whose name and address contain each word, sorted by name. */
export const findPeople = (
  db: Db,
  workspaceId: string,
  words: readonly string[],
  limit: number,
): Promise<PersonRow[]> => {
  const matches = words.map(
    (word) => sql`first_name || ' ' || last_name || ' ' || email ilike ${`%${literally(word)}%`}`,
  )
  const where = matches.length === 0 ? sql`` : sql`where ${sql.join(matches, sql` and `)}`
  return select(db, workspaceId, sql`${where} order by first_name, last_name, email limit ${limit}`)
}
