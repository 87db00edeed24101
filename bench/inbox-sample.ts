/**
 * A mailbox with years of mail, written by SQL exactly as the triggers would leave it; also in order of date, because ids contain
 * their time (UUIDv7).
 */
import { sql } from 'kysely'
import type { Clock } from '#server/lib/clock.ts'
import type { Database } from '#server/storage/database.ts'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import type { anAdmin } from './sample.ts'

type World = { db: Database; clock: Clock }

/** Words of three messages each: one in the subject, one only in the text. */
export const RARE_SUBJECT = 'quicksilver'
export const RARE_BODY = 'hornblende'
export const EVERYWHERE = 'subject'
/** The subject of the newest message. */
export const NEWEST = 'Subject 0 of cfcd20'
/** The number of different messages; the others repeat them. */
const KINDS = 2_000
const WORDS_EACH = 40
const MINUTES_APART = 6

/**
 * Messages in the Inbox; every fourth answers the one before it. `blobs`: what they hold, in turn. `hasChangeLog`: false for a
 * schema from before decision 086.
 */
export const aLivedInMailbox = async (
  world: World,
  { user, workspace }: Awaited<ReturnType<typeof anAdmin>>,
  {
    name,
    count,
    blobs,
    hasChangeLog = true,
  }: { name: string; count: number; blobs: readonly string[]; hasChangeLog?: boolean },
): Promise<Mailbox> => {
  const domain = await aDomain(world, {
    workspaceId: workspace.id,
    name: `${name}.example`,
    active: true,
  })
  const mailbox = await aMailbox(world, { domain, localPart: 'ada' })
  await letRead(world, mailbox, user.id)
  await world.db.connection().execute(async (db) => {
    // The statements below do at once what triggers do row by row.
    await sql`set session_replication_role = replica`.execute(db)
    await sql`set maintenance_work_mem = '512MB'`.execute(db)
    await fill(db as Database, mailbox, { count, blobs, now: world.clock.now() })
    await sql`set session_replication_role = origin`.execute(db)
  })
  if (hasChangeLog)
    await sql`update mailboxes set modseq = ${count} where id = ${mailbox.id}`.execute(world.db)
  return mailbox
}

const fill = async (
  db: Database,
  { id: mailboxId, workspaceId }: Mailbox,
  { count, blobs, now }: { count: number; blobs: readonly string[]; now: Date },
): Promise<void> => {
  await sql`drop index message_texts_search`.execute(db)
  await sql`drop index message_texts_head`.execute(db)
  await sql`
    create temp table kinds as
    select k, 'Subject ' || k || ' of ' || substr(md5(k::text), 1, 6) as subject, words.text,
      setweight(to_tsvector('simple', 'Subject ' || k || ' of ' || substr(md5(k::text), 1, 6)), 'A')
        || setweight(to_tsvector('simple', 'Grace ' || k % 300 || ' grace' || k % 300 || ' example org'), 'B')
        || to_tsvector('simple', words.text) as search
    from generate_series(0, ${KINDS - 1}::int) k
    cross join lateral (
      select string_agg('w' || substr(md5((k * 131 + n * 7)::text), 1, 4), ' ') as text
      from generate_series(1, ${WORDS_EACH}::int) n
    ) as words`.execute(db)
  await sql`
    create temp table made as
    select n, uuidv7(age * -1) as id, n % ${KINDS}::int as k, (n - 1) / 4 as thread, ${now}::timestamptz - age as date
    from generate_series(1, ${count}::int) n
    cross join lateral (select (${count}::int - n) * interval '1 minute' * ${MINUTES_APART}::int as age) as ages`.execute(
    db,
  )
  await sql`
    insert into messages (id, workspace_id, mailbox_id, folder_id, uid, modseq, thread_id, blob, size_bytes, message_id,
      subject, "from", preview, is_read, is_starred, has_attachments, mail_from, date, search_text)
    select made.id, ${workspaceId}, ${mailboxId}, f.id, n, n, first_value(made.id) over (partition by thread order by n),
      (${blobs}::text[])[1 + (n / 4 + n) % cardinality(${blobs}::text[])], 2000, n || '@example.org',
      case when n in (7, ${count}::int / 2, ${count}::int - 9) then ${RARE_SUBJECT} || ' ' else '' end || kinds.subject,
      jsonb_build_object('name', 'Grace ' || made.k % 300, 'address', 'grace' || made.k % 300 || '@example.org'),
      left(kinds.text, 100), n % 9 <> 0, n % 50 = 0, n % 10 = 0, 'grace@example.org', made.date, kinds.text
    from made join kinds using (k)
    join folders f on f.mailbox_id = ${mailboxId} and f.role = 'inbox'`.execute(db)
  await sql`
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, date)
    select made.id, ${workspaceId}, ${mailboxId},
      case when n in (7, ${count}::int / 2, ${count}::int - 9) then setweight(to_tsvector('simple', ${RARE_SUBJECT}), 'A') || kinds.search
        when n in (9, ${count}::int / 3, ${count}::int - 30) then kinds.search || to_tsvector('simple', ${RARE_BODY})
        else kinds.search end,
      lower(kinds.subject) || ' grace ' || made.k % 300 || ' grace' || made.k % 300 || '@example.org', made.date
    from made join kinds using (k)`.execute(db)
  await sql`
    insert into conversations
    select distinct on (folder_id, thread_id) folder_id, thread_id, workspace_id, mailbox_id, id, date,
      count(*) over thread, count(*) filter (where not is_read) over thread, count(*) filter (where is_starred) over thread
    from messages where mailbox_id = ${mailboxId}
    window thread as (partition by folder_id, thread_id)
    order by folder_id, thread_id, date desc, id desc`.execute(db)
  await sql`
    insert into folder_days
    select folder_id, (date at time zone 'UTC')::date, count(*) from conversations where mailbox_id = ${mailboxId} group by 1, 2`.execute(
    db,
  )
  await sql`
    update folders set uid_next = ${count + 1}, highest_modseq = ${count}, message_count = ${count},
      unread_count = (select count(*) from messages where mailbox_id = ${mailboxId} and not is_read)
    where mailbox_id = ${mailboxId} and role = 'inbox'`.execute(db)
  await sql`update mailboxes set used_bytes = ${count * 2000} where id = ${mailboxId}`.execute(db)
  await sql`create index message_texts_search on message_texts using gin (mailbox_id, search)`.execute(
    db,
  )
  await sql`create index message_texts_head on message_texts using gin (mailbox_id, head gin_trgm_ops)`.execute(
    db,
  )
  await sql`drop table made, kinds`.execute(db)
}
