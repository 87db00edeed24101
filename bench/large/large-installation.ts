/**
 * A large installation, written by SQL as the triggers would leave it: 200 workspaces, 2,000 domains, 20,000 mailboxes with a holder
 * each, and a million mails, of which few mailboxes have most. All mails have one of few blobs.
 */
import { randomBytes } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { type Clock, DAY_MS } from '#server/lib/clock.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { pathOfSegment } from '#server/storage/blobs/segment-file.ts'
import type { Database } from '#server/storage/database.ts'
import { fillDomains } from '#server/storage/migrations/0111-0120/0120-unique-in-the-installation.ts'
import { up as fillAddresses } from '#server/storage/migrations/0121-0130/0121-filled-addresses.ts'
import { anAdmin } from '../sample.ts'

export type Size = {
  workspaces: number
  domains: number
  mailboxes: number
  mails: number
  /** The number of the domain of mailbox `g`; absent: one after the other. */
  domainOf?: RawBuilder<number>
}
export const LARGE: Size = {
  ...{ workspaces: 200, domains: 2_000, mailboxes: 20_000, mails: 1_000_000 },
}

const BLOBS = 200
const BLOB_BYTES = 10_000
/** Different subjects and texts. */
const KINDS = 2_000
/** In the queue, to many hosts. */
const WAITING = 2_000
const SENT_IN_A_DAY = 20_000
const ACTIONS = 5_000

export const fillLarge = async (
  dataDir: string,
  world: { db: Database; clock: Clock },
  size: Size,
): Promise<void> => {
  await anAdmin(world)
  const blobs = await somePlaces(dataDir)
  const now = world.clock.now()
  await world.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    await sql`set maintenance_work_mem = '256MB'`.execute(db)
    await sql`set work_mem = '128MB'`.execute(db)
    await people(db, size, now)
    await domainsAndMailboxes(db, size, now)
    await mails(db, size, { blobs, now })
    await lists(db)
    await outgoing(db, size, { blobs, now })
    await fillDomains(db)
    await fillAddresses(db)
    await sql`set session_replication_role = origin`.execute(db)
  })
}

const somePlaces = async (dataDir: string): Promise<string[]> => {
  const store = segmentBlobs(join(dataDir, 'blobs'))
  const text = () => `Subject: a\r\n\r\n${randomBytes(BLOB_BYTES / 2).toString('hex')}`
  try {
    const names = Array.from({ length: BLOBS }, () => store.put(Buffer.from(text())))
    return await Promise.all(names)
  } finally {
    await store.close()
    // The sweep looks at what is older than a day.
    const old = new Date(Date.now() - 2 * DAY_MS)
    for await (const { segment } of store.segments())
      await utimes(pathOfSegment(join(dataDir, 'blobs'), segment), old, old)
  }
}

/** A workspace has an Admin and three others. */
export const people = async (db: Database, { workspaces }: Size, now: Date): Promise<void> => {
  await sql`create temp table w as select n, gen_random_uuid() as id from generate_series(1, ${workspaces}::int) n`.execute(
    db,
  )
  await sql`
    insert into workspaces (id, name, storage_quota_bytes, created_at)
    select id, 'Company ' || n, 75000000000, ${now}::timestamptz - n * interval '1 day' from w`.execute(
    db,
  )
  await sql`
    create temp table p as select gen_random_uuid() as id, w.id as workspace_id, w.n, k
    from w, generate_series(1, 4) k`.execute(db)
  await sql`
    insert into users (id, email, first_name, last_name, verified_at, current_workspace_id, created_at)
    select id, 'person' || k || '.of' || n || '@example.net', 'Person ' || k, 'Of ' || n, ${now}::timestamptz, workspace_id,
      ${now}::timestamptz - n * interval '1 day' from p`.execute(db)
  await sql`
    insert into members (workspace_id, user_id, role, created_at)
    select workspace_id, id, case k when 1 then 'Admin' when 2 then 'Editor' else 'User' end, ${now}::timestamptz from p`.execute(
    db,
  )
}

export const domainsAndMailboxes = async (
  db: Database,
  { workspaces, domains, mailboxes, domainOf = sql<number>`1 + g % ${domains}::int` }: Size,
  now: Date,
): Promise<void> => {
  await sql`
    create temp table d as select g as n, gen_random_uuid() as id, w.id as workspace_id
    from generate_series(1, ${domains}::int) g join w on w.n = 1 + g % ${workspaces}::int`.execute(
    db,
  )
  await sql`
    insert into domains (id, workspace_id, name, ownership_token, is_verified, verified_at, is_active, activated_at, created_at)
    select id, workspace_id, 'd' || n || '.example', md5(n::text), true, ${now}::timestamptz, true, ${now}::timestamptz,
      ${now}::timestamptz from d`.execute(db)
  await sql`
    insert into domain_records (domain_id, workspace_id, purpose, position, type, name, value, ttl, priority, is_required,
      state, found, checked_at)
    select d.id, d.workspace_id, r.purpose, r.position, case r.purpose when 'mx' then 'MX' else 'TXT' end, 'd' || d.n || '.example',
      'v', 3600, case r.purpose when 'mx' then 10 end, r.purpose <> 'mx', 'verified', '[]', ${now}::timestamptz
    from d, unnest(array['ownership', 'spf', 'dkim', 'dmarc', 'mx']) with ordinality as r (purpose, position)`.execute(
    db,
  )
  await sql`
    create temp table b as select g as n, gen_random_uuid() as id, gen_random_uuid() as user_id, gen_random_uuid() as inbox, d.id as domain_id,
      d.workspace_id, 'box' || g || '@d' || d.n || '.example' as email
    from generate_series(1, ${mailboxes}::int) g join d on d.n = ${domainOf}`.execute(db)
  await sql`
    insert into mailboxes (id, workspace_id, domain_id, email, first_name, last_name, status, created_at)
    select id, workspace_id, domain_id, email, 'Box', 'Number ' || n, 'active', ${now}::timestamptz from b`.execute(
    db,
  )
  await sql`
    insert into folders (id, workspace_id, mailbox_id, role, name)
    select case f.role when 'inbox' then b.inbox else gen_random_uuid() end, b.workspace_id, b.id, f.role, initcap(f.role)
    from b, unnest(array['inbox', 'sent', 'drafts', 'junk', 'trash', 'archive']) as f (role)`.execute(
    db,
  )
  await sql`
    insert into users (id, email, first_name, last_name, verified_at, created_at)
    select user_id, email, 'Box', 'Number ' || n, ${now}::timestamptz, ${now}::timestamptz - n * interval '1 minute' from b`.execute(
    db,
  )
  await sql`
    insert into mailbox_readers (mailbox_id, workspace_id, user_id, origin, created_at)
    select id, workspace_id, user_id, 'holder', ${now}::timestamptz from b`.execute(db)
}

type Given = { blobs: readonly string[]; now: Date }

/** Mailbox number n has about as many as 1 / n to the power of 0.7: the first thousands, most some dozens. */
const mails = async (
  db: Database,
  { mails: count }: Size,
  { blobs, now }: Given,
): Promise<void> => {
  await sql`drop index message_texts_search`.execute(db)
  await sql`drop index message_texts_head`.execute(db)
  await sql`
    create temp table kinds as
    select k, 'Subject ' || k || ' of ' || substr(md5(k::text), 1, 6) as subject, words.text,
      to_tsvector('simple', 'Subject ' || k || ' ' || words.text) as search
    from generate_series(0, ${KINDS - 1}::int) k
    cross join lateral (
      select string_agg('w' || substr(md5((k * 131 + n * 7)::text), 1, 4), ' ') as text from generate_series(1, 40) n
    ) as words`.execute(db)
  await sql`
    create temp table made as
    select b.id as mailbox_id, b.workspace_id, b.inbox, uid, (uid + b.n) % ${KINDS}::int as k, (uid - 1) / 4 as thread,
      uuidv7(age * -1) as id, ${now}::timestamptz - age as date
    from (select *, greatest(1, ${count}::float8 * power(n, -0.7) / sum(power(n, -0.7)) over ())::int as mails from b) b
    cross join lateral generate_series(1, mails) uid
    cross join lateral (select (mails - uid) * interval '47 minutes' + b.n * interval '1 second' as age) as ages`.execute(
    db,
  )
  await sql`
    insert into messages (id, workspace_id, mailbox_id, folder_id, uid, modseq, thread_id, blob, size_bytes, message_id,
      subject, "from", preview, is_read, is_starred, has_attachments, mail_from, date, search_text)
    select m.id, m.workspace_id, m.mailbox_id, m.inbox, uid, uid, first_value(m.id) over (partition by m.mailbox_id, thread order by uid),
      (${blobs}::text[])[1 + m.k % ${BLOBS}::int], ${BLOB_BYTES}::int, uid || '@example.org', kinds.subject,
      '{"name":"Grace","address":"grace@example.org"}', left(kinds.text, 100), uid % 9 <> 0, uid % 50 = 0, uid % 10 = 0,
      'grace@example.org', m.date, ''
    from made m join kinds using (k)`.execute(db)
  await sql`
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, date)
    select m.id, m.workspace_id, m.mailbox_id, kinds.search, lower(kinds.subject) || ' grace grace@example.org', m.date
    from made m join kinds using (k)`.execute(db)
  await sql`create index message_texts_search on message_texts using gin (mailbox_id, search)`.execute(
    db,
  )
  await sql`create index message_texts_head on message_texts using gin (mailbox_id, head gin_trgm_ops)`.execute(
    db,
  )
}

/** What triggers keep beside the messages. */
const lists = async (db: Database): Promise<void> => {
  await sql`
    insert into conversations
    select distinct on (folder_id, thread_id) folder_id, thread_id, workspace_id, mailbox_id, id, date,
      count(*) over thread, count(*) filter (where not is_read) over thread, count(*) filter (where is_starred) over thread
    from messages window thread as (partition by folder_id, thread_id)
    order by folder_id, thread_id, date desc, id desc`.execute(db)
  await sql`
    insert into folder_days
    select folder_id, (date at time zone 'UTC')::date, count(*) from conversations group by 1, 2`.execute(
    db,
  )
  await sql`
    update folders f set uid_next = c.count + 1, highest_modseq = c.count, message_count = c.count, unread_count = c.unread
    from (select folder_id, count(*), count(*) filter (where not is_read) as unread from messages group by 1) c
    where f.id = c.folder_id`.execute(db)
  await sql`
    update mailboxes b set used_bytes = c.bytes, modseq = c.count
    from (select mailbox_id, count(*), sum(size_bytes) as bytes from messages group by 1) c where b.id = c.mailbox_id`.execute(
    db,
  )
}

/** What was sent and refused in a day, what waits, and what operators did. */
export const outgoing = async (
  db: Database,
  { mailboxes }: Size,
  { blobs, now }: Given,
): Promise<void> => {
  await sql`
    insert into sendings (id, workspace_id, mailbox_id, at, recipients, new_recipients)
    select gen_random_uuid(), workspace_id, b.id, ${now}::timestamptz - g * interval '4 seconds', 1 + g % 3, 0
    from generate_series(1, ${SENT_IN_A_DAY}::int) g join b on b.n = 1 + (g * 7) % ${mailboxes}::int`.execute(
    db,
  )
  await sql`
    create temp table o as select g as n, gen_random_uuid() as id, b.id as mailbox_id, b.workspace_id, b.email
    from generate_series(1, ${WAITING}::int) g join b on b.n = 1 + (g * 11) % ${mailboxes}::int`.execute(
    db,
  )
  await sql`
    insert into outbox_messages (id, workspace_id, mailbox_id, mail_from, blob, size_bytes, is_held, created_at)
    select id, workspace_id, mailbox_id, email, ${blobs[0]}, ${BLOB_BYTES}::int, false, ${now}::timestamptz from o`.execute(
    db,
  )
  // Not due while it is measured.
  await sql`
    insert into deliveries (id, outbox_message_id, workspace_id, recipient, recipient_domain, status, attempts, next_attempt_at,
      last_reply, created_at)
    select gen_random_uuid(), id, workspace_id, 'someone@slow' || n % 100 || '.example', 'slow' || n % 100 || '.example', 'queued', 3,
      ${now}::timestamptz + interval '1 day', '451 later', ${now}::timestamptz from o`.execute(db)
  await sql`
    insert into operator_actions (id, at, operator, verb, workspace_id, subject, detail)
    select gen_random_uuid(), ${now}::timestamptz - g * interval '1 hour', 'admin@example.org', 'workspace quota', w.id, 'Company ' || w.n, '75 GB'
    from generate_series(1, ${ACTIONS}::int) g join w on w.n = 1 + g % (select count(*) from w)`.execute(
    db,
  )
}
