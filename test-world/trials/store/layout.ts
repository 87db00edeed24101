/** The store under a running product: made old and sparse, so that its sweep has to move and rewrite, and looked at meanwhile. */
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { DAY_MS } from '#server/lib/clock.ts'
import { fileBlobs } from '#server/storage/blobs/blobs.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { SEGMENTS } from '#server/storage/blobs/segment-file.ts'
import { connectionIn } from '../../postgres/in-folder.ts'

export type Look = {
  isSweeping: boolean
  /** Small mails of the mailboxes that are files of their own. */
  files: number
  /** Those in segments that the sweep may rewrite. */
  inOldSegments: number
  /** Whether a statement files a mail just now. */
  isFiling: boolean
}

export type Layout = {
  /** Lets `share` of the mailboxes' mails be files of their own, as before decision 088. */
  makeFiles(mailboxIds: readonly string[], share: number): Promise<void>
  /** Frees the bytes that deleted mails keep for 30 days. */
  forgetDeleted(): Promise<void>
  /**
   * Two days pass for all segments but the one that is appended to, and for the files unless `filesToo` is false. @returns the
   * segments that are old now
   */
  age(filesToo: boolean): string[]
  startSweep(): Promise<void>
  look(mailboxIds: readonly string[], oldSegments: readonly string[]): Promise<Look>
  /** Of all messages in the mailbox, in the order of their filing. */
  idsIn(mailboxId: string): Promise<string[]>
  close(): Promise<void>
}

/** For as long as this PostgreSQL runs. */
export const openLayout = async (dataDir: string): Promise<Layout> => {
  const client = new pg.Client({ ...connectionIn(dataDir), database: 'mailstead' })
  client.on('error', () => {})
  await client.connect()
  const folder = join(dataDir, 'blobs')
  const blobs = segmentBlobs(folder)
  return {
    makeFiles: async (mailboxIds, share) => {
      const { rows } = await client.query<{ id: string; blob: string }>(
        "select id, blob from messages where mailbox_id = any($1) and blob like '%.%' order by id",
        [mailboxIds],
      )
      const files = fileBlobs(folder)
      for (const { id, blob } of rows.slice(0, Math.ceil(rows.length * share))) {
        const name = await files.put(await blobs.get(blob))
        await client.query('update messages set blob = $1 where id = $2', [name, id])
      }
    },
    forgetDeleted: async () => {
      await client.query('update tombstones set blob = null, kept = null where blob is not null')
    },
    age: (filesToo) => ageAll(folder, filesToo),
    startSweep: async () => {
      await client.query("select jobs.add_job('sweep-blobs', job_key := 'sweep-blobs')")
    },
    look: async (mailboxIds, oldSegments) => {
      const { rows } = await client.query<Look>(LOOK, [mailboxIds, oldSegments])
      const [look] = rows
      if (look === undefined) throw new Error('the look answered nothing')
      return look
    },
    idsIn: async (mailboxId) => {
      const { rows } = await client.query<{ id: string }>(
        'select id from messages where mailbox_id = $1 order by id',
        [mailboxId],
      )
      return rows.map(({ id }) => id)
    },
    close: () => client.end().catch(() => {}),
  }
}

const LOOK = `select
  exists (select from pg_locks where locktype = 'advisory' and objid = hashtext('sweep-blobs')::oid) as "isSweeping",
  (select count(*)::int from messages where mailbox_id = any($1) and blob not like '%.%' and size_bytes <= 128000) as files,
  (select count(*)::int from messages where mailbox_id = any($1) and split_part(blob, '.', 1) = any($2)) as "inOldSegments",
  exists (select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
    and query like '%set used_bytes = used_bytes +%') as "isFiling"`

const ageAll = (folder: string, filesToo: boolean): string[] => {
  const old = new Date(Date.now() - 2 * DAY_MS)
  const segments = readdirSync(join(folder, SEGMENTS)).sort().slice(0, -1)
  for (const segment of segments) utimesSync(join(folder, SEGMENTS, segment), old, old)
  const ofFiles = filesToo ? old : new Date()
  for (const first of readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const name of readdirSync(join(folder, first)))
      utimesSync(join(folder, first, name), ofFiles, ofFiles)
  return segments
}
