/** How far the access of each mailbox of a list is, in the database: two look-ups by index for a whole page. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { accessState } from '#contract/mailboxes.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type AccessState = z.infer<typeof accessState>

export type AccessStateRow = {
  mailboxId: string
  state: AccessState
  name: string
  readers: number
  lastLoginAt: Date | null
  linkMailedTo: string | null
}

/** The state of a mailbox in a query of `mailboxes`. */
const stateAt = (db: Db, now: Date) => sql<AccessState>`case
  when exists (select from ${userRows(db)} held where held.mailbox_id = mailboxes.id) then 'holder'
  when exists (select from access_links links where links.mailbox_id = mailboxes.id
    and links.ended_at is null and links.expires_at > ${now}) then 'link'
  when exists (select from mailbox_readers r where r.mailbox_id = mailboxes.id
    and r.origin in ('given', 'taken') and (r.ends_at is null or r.ends_at > ${now})) then 'readers'
  when exists (select from access_links links where links.mailbox_id = mailboxes.id
    and links.ended_at is null) then 'expired'
  else 'none' end`

export const isInState = (db: Db, state: AccessState, now: Date) =>
  sql<boolean>`${stateAt(db, now)} = ${state}`

export const readAccessStates = async (
  db: Db,
  workspaceId: string,
  ids: string[],
  now: Date,
): Promise<Map<string, AccessStateRow>> => {
  const { rows } = await sql<AccessStateRow>`
    select mailboxes.id as mailbox_id, ${stateAt(db, now)} as state,
      coalesce(trim(case when holder.id is null then reader.name
        else mailboxes.first_name || ' ' || mailboxes.last_name end), '') as name,
      reader.count as readers, holder.last_login_at, link.mailed_to as link_mailed_to
    from mailboxes
      left join ${userRows(db)} holder on holder.mailbox_id = mailboxes.id
      left join access_links link on link.mailbox_id = mailboxes.id
        and link.workspace_id = mailboxes.workspace_id and link.ended_at is null
        and link.expires_at > ${now}
      left join lateral (
        select count(*)::int as count,
          (array_agg(users.first_name || ' ' || users.last_name order by r.created_at))[1] as name
        from mailbox_readers r join ${userRows(db)} users on users.id = r.user_id
        where r.mailbox_id = mailboxes.id and r.origin in ('given', 'taken')
          and (r.ends_at is null or r.ends_at > ${now})
      ) reader on true
    where mailboxes.workspace_id = ${workspaceId} and mailboxes.id = any(${ids}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.mailboxId, row]))
}
