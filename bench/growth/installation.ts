/**
 * An installation that grew: 20,000 mailboxes in 1,000 workspaces, one of which has a tenth of them, with as many mails as wanted.
 * The measured mailboxes have the same mails at each size. Loading is without fsync and with little log; afterwards the database is
 * as the product would have left it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { systemClock } from '#server/lib/clock.ts'
import { claimBlobs } from '#server/storage/blobs/open-blobs.ts'
import { folderPlace } from '#server/storage/blobs/places.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { type Database, openDatabase } from '#server/storage/database.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { fillDomains } from '#server/storage/migrations/0111-0120/0120-unique-in-the-installation.ts'
import { up as fillAddresses } from '#server/storage/migrations/0121-0130/0121-filled-addresses.ts'
import { migrate } from '#server/storage/open-storage.ts'
import { wrongCounts } from '#test-world/mail/mail-counts.ts'
import { domainsAndMailboxes, outgoing, people } from '../large/large-installation.ts'
import { anAdmin, EMAIL } from '../sample.ts'
import { writeKinds } from './kinds.ts'
import { fillMails } from './load-mails.ts'
import { sparseSegments } from './sparse-segments.ts'

export type Box = { id: string; workspaceId: string; email: string }
export type Grown = {
  mails: number
  /** In the workspace of the Admin: with 50,000 mails, and with 500. */
  large: Box
  average: Box
  loadedSeconds: number
}

/** Mailboxes with 500 mails in the measured workspace. */
export const AVERAGES = 20
const MOST_IN_MAILBOX = 50_000
const IN_AVERAGE = 500
const MOST_KINDS = 60_000
const PER_WORKSPACE = 20

/** How many mails each mailbox has; the first and the one after the averages are large at each size, and more where there is more mail. */
const sizesOf = (mails: number, mailboxes: number) => {
  const large = Math.min(MOST_IN_MAILBOX, Math.floor(mails / 4))
  const larger = Math.max(0, Math.floor(mails / 500_000) - 2)
  const average = Math.min(IN_AVERAGE, Math.floor(mails / 100))
  const rest = mails - (2 + larger) * large - AVERAGES * average
  return { large, larger, average, rest, step: Math.floor(mailboxes / (larger + 1)) }
}

/** Loads it into the folder, unless it is there from an earlier run. */
export const growInstallation = async (
  dataDir: string,
  { mails, mailboxes }: { mails: number; mailboxes: number },
): Promise<Grown> => {
  const note = join(dataDir, 'grown.json')
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8'))
  mkdirSync(dataDir, { recursive: true })
  const startedAt = performance.now()
  const say = (what: string) =>
    console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${what}`)
  await withServer(dataDir, async ({ client }) => {
    for (const setting of LOADING) await client.query(`alter system set ${setting}`)
  })
  const boxes = await withServer(dataDir, async ({ db, connection, client }) => {
    await migrate(db)
    await claimBlobs(db, folderPlace(join(dataDir, 'blobs')))
    await somePeople(db, { mails, mailboxes })
    say('people and mailboxes')
    const store = segmentBlobs(join(dataDir, 'blobs'))
    await writeKinds(client, store, Math.min(MOST_KINDS, Math.ceil(mails / 2)))
    await store.close()
    say('different mails')
    const seconds = await fillMails(connection, { mails, say })
    await sparseSegments(join(dataDir, 'blobs'), seconds.segments)
    await checkCounts(db)
    say('checked')
    const { rows } = await client.query<Box & { n: number }>(
      'select n, id, workspace_id as "workspaceId", email from boxes where n <= 2 order by n',
    )
    await client.query('drop table boxes, kinds, made')
    await client.query('drop function grown_at, grown_id')
    await client.query('alter system reset all')
    return rows
  })
  const [large, average] = boxes
  if (!large || !average) throw new Error('there is no mailbox')
  const loadedSeconds = (performance.now() - startedAt) / 1000
  const grown: Grown = { mails, large, average, loadedSeconds }
  writeFileSync(note, JSON.stringify(grown, null, 2))
  return grown
}

/** For large statements: what is written into new tables needs no log. */
const LOADING = [
  "wal_level = 'minimal'",
  'max_wal_senders = 0',
  "max_wal_size = '8GB'",
  "checkpoint_timeout = '30min'",
  'autovacuum = off',
]

type Server = { db: Database; client: pg.Client; connection: pg.ClientConfig }

const withServer = async <T>(dataDir: string, use: (server: Server) => Promise<T>): Promise<T> => {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, isDurable: false })
  const db = openDatabase({ connection, maxConnections: 4 }, () => {})
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await use({ db, client, connection })
  } finally {
    await client.end()
    await db.destroy()
    await stop()
  }
}

type Wanted = { mails: number; mailboxes: number }

/** Leaves the table `boxes`: each mailbox with its folders, the number of its mails and the place in the workspace. */
const somePeople = async (db: Database, { mails, mailboxes }: Wanted): Promise<void> => {
  const workspaces = Math.ceil(mailboxes / PER_WORKSPACE)
  const domains = 2 * workspaces
  const { large, larger, average, rest, step } = sizesOf(mails, mailboxes)
  const measured = AVERAGES + 2
  // Those of the first workspace have numbers that it divides.
  const domainOf = sql<number>`case when g <= ${measured}::int or g % 10 = 0 then ${workspaces}::int * (1 + g % 2) else 1 + g % ${domains}::int end`
  await anAdmin({ db, clock: systemClock })
  const now = systemClock.now()
  await db.connection().execute(async (session) => {
    await sql`set session_replication_role = replica`.execute(session)
    const size = { workspaces, domains, mailboxes, mails, domainOf }
    await people(session, size, now)
    await domainsAndMailboxes(session, size, now)
    await fillDomains(session)
    await fillAddresses(session)
    await outgoing(session, size, { blobs: [NO_BLOB], now })
    // What waits would be tried, and has no bytes here.
    await sql`delete from deliveries`.execute(session)
    await sql`delete from outbox_messages`.execute(session)
    await sql`
      insert into members (workspace_id, user_id, role, created_at)
      select w.id, u.id, 'Admin', ${now}::timestamptz from w, users u where w.n = 1 and u.email = ${EMAIL}`.execute(
      session,
    )
    await sql`update users set current_workspace_id = (select id from w where n = 1) where email = ${EMAIL}`.execute(
      session,
    )
    await sql`
      insert into mailbox_readers (mailbox_id, workspace_id, user_id, created_at)
      select b.id, b.workspace_id, u.id, ${now}::timestamptz from b, users u where b.n < ${measured}::int and u.email = ${EMAIL}`.execute(
      session,
    )
    await sql`update users set mailbox_id = b.id from b where users.id = b.user_id`.execute(session)
    await sql`
      create unlogged table boxes as
      select b.n, b.id, b.workspace_id, b.email, b.inbox,
        (select id from folders f where f.mailbox_id = b.id and role = 'sent') as sent,
        (select id from folders f where f.mailbox_id = b.id and role = 'archive') as archive,
        (select id from folders f where f.mailbox_id = b.id and role = 'trash') as trash,
        case when n in (1, ${measured}::int) or (n > ${measured}::int and ${larger}::int > 0 and n % ${step}::int = 0 and n / ${step}::int <= ${larger}::int) then ${large}::int
          when n < ${measured}::int then ${average}::int else 0 end as mails,
        n < ${measured}::int as is_measured
      from b`.execute(session)
    // One of twenty has ten times as much as the others.
    await sql`
      update boxes set mails = share.mails from (
        select n, (${rest}::float8 * sum(weight) over upto / total)::int - (${rest}::float8 * (sum(weight) over upto - weight) / total)::int as mails
        from (select n, weight, sum(weight) over () as total from (
          select n, case n % 20 when 3 then 10 else 1 end as weight from boxes where mails = 0) as each) as weighed
        window upto as (order by n)
      ) as share where share.n = boxes.n`.execute(session)
    await sql`analyze boxes`.execute(session)
  })
}

/** Of the mail that waits in the queue: nobody delivers it while it is measured. */
const NO_BLOB = `${'0'.repeat(9)}queued.0.10000.${'0'.repeat(64)}`

/** Whether the counters are those that the triggers would have left. @throws Error */
const checkCounts = async (db: Database): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    (select id from boxes where n <= 3) union (select id from boxes where n % 997 = 0) union
    (select id from boxes order by mails desc limit 2)`.execute(db)
  for (const { id } of rows) {
    const wrong = await wrongCounts(db, id)
    if (wrong.length > 0)
      throw new Error(`counters of a mailbox are wrong: ${JSON.stringify(wrong.slice(0, 3))}`)
  }
}
