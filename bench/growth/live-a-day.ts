/** What people do to their mail in a day, done by the product's own functions, so that its triggers do their part. */
import type pg from 'pg'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { applyChanges, removeMessages } from '#server/features/messages/bulk-store.ts'
import { systemClock } from '#server/lib/clock.ts'
import type { Database } from '#server/storage/database.ts'
import type { MessageBefore } from '#server/storage/rows/conversation-tables.ts'
import { MAILS_IN_SEGMENT, segmentName } from './sparse-segments.ts'
import type { Opened } from './with-grown.ts'

/** Of one mailbox: how many mails get or lose a star, and how many are deleted for good. */
export type Day = { mailboxes: number; flags: number; deletes: number }

type Chosen = {
  id: string
  workspaceId: string
  mailboxId: string
  folderId: string
  isRead: boolean
  isStarred: boolean
}

const AT_ONCE = 500
const CONNECTIONS = 4

/** Among the latest thousand mails of other mailboxes each time, never in those that are measured. */
export const liveADay = async (
  { db, client }: Opened,
  { mailboxes, flags, deletes }: Day,
): Promise<void> => {
  const { rows: boxes } = await client.query<{ id: string }>(
    `select b.id from mailboxes b
    where not exists (select from mailbox_readers r where r.mailbox_id = b.id and r.origin = 'made')
      and (select sum(message_count) from folders f where f.mailbox_id = b.id) > 2 * $1::int
    order by md5(b.id::text || random()) limit $2`,
    [flags + deletes, mailboxes],
  )
  for (let first = 0; first < boxes.length; first += AT_ONCE) {
    const ids = boxes.slice(first, first + AT_ONCE).map(({ id }) => id)
    const { rows } = await client.query<Chosen>(
      `select m.* from (
        select id, least(1000, (select sum(message_count) from folders f where f.mailbox_id = b.id)) - $2::int as most
        from mailboxes b where id = any($1::uuid[])
      ) b cross join lateral (
        select id, workspace_id as "workspaceId", mailbox_id as "mailboxId", folder_id as "folderId", is_read as "isRead",
          is_starred as "isStarred"
        from messages where mailbox_id = b.id order by date desc, id desc offset floor(random() * b.most)::int limit $2
      ) m`,
      [ids, flags + deletes],
    )
    const waiting = [...Map.groupBy(rows, ({ mailboxId }) => mailboxId).values()]
    const work = async () => {
      for (let chosen = waiting.pop(); chosen; chosen = waiting.pop())
        await changeSome(db, chosen, deletes)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }
}

const changeSome = (db: Database, chosen: readonly Chosen[], deletes: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const [first] = chosen
    if (!first) return
    const now = systemClock.now()
    await lockMailOf(tx, first.mailboxId)
    const before = chosen.map(
      ({ id, folderId, isRead, isStarred }): MessageBefore => ({
        ...{ id, folderId, isRead, isStarred },
      }),
    )
    const starred = before.slice(deletes).map((each) => ({
      before: each,
      after: { ...each, isStarred: !each.isStarred },
    }))
    await applyChanges(tx, starred, now)
    await removeMessages(tx, first, before.slice(0, deletes), now)
  })

const KEEP_DAYS = 30

/** Those of the days before, as many on each; one day of them is due to be forgotten. Does nothing where they are. */
export const liveDaysBefore = async (
  client: pg.Client,
  { deletesADay, mails }: { deletesADay: number; mails: number },
): Promise<void> => {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from tombstones where at < now() - interval $$5 days$$',
  )
  if ((rows[0]?.count ?? 0) > 0) return
  await client.query(
    `insert into tombstones (mailbox_id, modseq, folder_id, uid, workspace_id, message_id, at, size_bytes, blob, kept)
    select f.mailbox_id, 1, f.id, 1000000000 + g, f.workspace_id, gen_random_uuid(), now() - (g % $2 + 1) * interval '1 day' - interval '1 minute',
      30000, ${segmentName(`g * 7919 % (1 + $3::int / ${MAILS_IN_SEGMENT})`)} || '.' || g || '.30000.' || md5(g::text) || md5((g + 3)::text),
      jsonb_build_object('subject', 'A mail of before', 'date', now(), 'to', '[]'::jsonb, 'thread_id', gen_random_uuid(), 'references', repeat('x', 400))
    from generate_series(1, $1::int) g
    join (select *, row_number() over (order by md5(id::text)) as n from folders where role = 'inbox' and message_count > 0) f
      on f.n = 1 + g % least($4::int, (select count(*) from mailboxes)::int / 2)`,
    [deletesADay * KEEP_DAYS, KEEP_DAYS, mails, 2_000],
  )
  await client.query('vacuum (analyze) tombstones')
}
