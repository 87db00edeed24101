/**
 * Everything of a workspace as one zip file, written as it is read: lists as JSON and CSV, invoices as PDF, the mail of every mailbox as
 * mbox with folders and flags, and a manifest with counts and sums. Secrets are left out (decision 112).
 */
import type { App } from '#server/app.ts'
import { getInvoicePdf, listInvoices } from '#server/features/billing/invoices.ts'
import { mboxOf } from '#server/features/transfer/mbox-of.ts'
import { uniqueNames } from '#server/standards/zip-file.ts'
import { type FileSums, type StreamedFile, zipStream } from '#server/standards/zip-stream.ts'
import type { Db } from '#server/storage/database.ts'
import {
  inSnapshot,
  mailboxesToExport,
  peopleRows,
  type Row,
  tableRows,
} from './exported-rows-store.ts'
import { exportedTables, leftOutTables, wordsOf } from './exported-tables.ts'
import { README } from './readme.ts'
import { asCsv, asJson } from './table-files.ts'

export type ArchiveApp = Pick<App, 'db' | 'clock'> & { blobs: Pick<App['blobs'], 'open'> }

export type Archived = {
  workspaceId: string
  name: string
  /** Who asked for it. */
  madeBy: string
}

type Manifest = {
  format: 'mailstead workspace 1'
  workspace: { id: string; name: string }
  madeAt: string
  madeBy: string
  counts: Record<string, number>
  /** `lost`: messages whose bytes the server has lost. */
  mailboxes: { email: string; file: string; messages: number; lost: string[] }[]
  /** Tables that are not in the archive, by the reason. */
  leftOut: typeof leftOutTables
  files: (FileSums & { name: string })[]
}

/** `onMessage` is called after each message; what it throws ends the archive. */
export const workspaceArchive = (
  app: ArchiveApp,
  archived: Archived,
  onMessage: () => Promise<void> = async () => {},
): AsyncGenerator<Buffer> => {
  const at = app.clock.now()
  const { workspaceId: id, name, madeBy } = archived
  const manifest: Manifest = {
    format: 'mailstead workspace 1',
    ...{ workspace: { id, name }, madeAt: at.toISOString(), madeBy },
    ...{ counts: {}, mailboxes: [], leftOut: leftOutTables, files: [] },
  }
  return zipStream(withSums(filesOf(app, archived, manifest, onMessage), manifest), at)
}

/** The manifest comes last, since it names all others. */
async function* withSums(
  files: AsyncIterable<StreamedFile>,
  manifest: Manifest,
): AsyncGenerator<StreamedFile> {
  for await (const { name, content } of files)
    yield {
      ...{ name, content },
      onEnd: (sums) => manifest.files.push({ name, ...sums }),
    }
  yield { name: 'manifest.json', content: [Buffer.from(JSON.stringify(manifest, null, 2))] }
}

async function* filesOf(
  app: ArchiveApp,
  archived: Archived,
  manifest: Manifest,
  onMessage: () => Promise<void>,
): AsyncGenerator<StreamedFile> {
  yield { name: 'README.txt', content: [Buffer.from(README)] }
  yield* tableFiles(app, archived, manifest)
  yield* invoiceFiles(app, archived, manifest)
  yield* mailFiles(app, archived, manifest, onMessage)
}

type Opened = { rows: () => AsyncGenerator<Row>; columns: readonly string[]; name: string }

const PEOPLE = 'first_name last_name email role member_since mailbox_id last_login_at created_at id'

async function* tableFiles(
  { db }: ArchiveApp,
  { workspaceId }: Archived,
  { counts }: Manifest,
): AsyncGenerator<StreamedFile> {
  const tables = Object.entries(exportedTables).map(([table, { columns }]) => ({
    name: table,
    columns: wordsOf(columns),
    read: (tx: Db) => tableRows(tx, table, wordsOf(columns), workspaceId),
  }))
  const people = {
    name: 'people',
    columns: wordsOf(PEOPLE),
    read: (tx: Db) => peopleRows(tx, workspaceId),
  }
  for (const { name, columns, read } of [people, ...tables])
    yield* together(db, read, (rows) => rowFiles({ name, columns, rows }, counts))
}

/**
 * Both files of a table from one moment. A generator cannot yield out of a transaction's function, so this one is open while the files
 * are read.
 */
async function* together(
  db: ArchiveApp['db'],
  read: (tx: Db) => AsyncGenerator<Row>,
  files: (rows: Opened['rows']) => StreamedFile[],
): AsyncGenerator<StreamedFile> {
  const written = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<Db>()
  const transaction = inSnapshot(db, async (tx) => {
    opened.resolve(tx)
    await written.promise
  })
  transaction.catch(opened.reject)
  try {
    const tx = await opened.promise
    yield* files(() => read(tx))
  } finally {
    written.resolve()
    await transaction
  }
}

const rowFiles = ({ rows, columns, name }: Opened, counts: Manifest['counts']): StreamedFile[] => {
  const counted = async function* () {
    counts[name] = 0
    for await (const row of rows()) {
      counts[name]++
      yield row
    }
  }
  return [
    { name: `lists/${name}.json`, content: asJson(counted()) },
    { name: `lists/${name}.csv`, content: asCsv(rows(), columns) },
  ]
}

const PAGE = 100

async function* invoiceFiles(
  app: ArchiveApp,
  archived: Archived,
  { counts }: Manifest,
): AsyncGenerator<StreamedFile> {
  counts.invoices_as_pdf = 0
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const { items, nextCursor } = await listInvoices(app, archived, page)
    for (const { _id } of items) {
      const { filename, content } = await getInvoicePdf(app, archived, _id)
      counts.invoices_as_pdf++
      yield { name: `invoices/${filename}`, content: [content] }
    }
    cursor = nextCursor
  }
}

async function* mailFiles(
  app: ArchiveApp,
  { workspaceId }: Archived,
  manifest: Manifest,
  onMessage: () => Promise<void>,
): AsyncGenerator<StreamedFile> {
  const { counts, mailboxes } = manifest
  counts.messages = 0
  const found = await mailboxesToExport(app.db, workspaceId)
  const names = uniqueNames(found.map(({ email }) => `${email}.mbox`))
  for (const [n, { id: mailboxId, email }] of found.entries()) {
    const file = `mail/${names[n]}`
    const mailbox = { email, file, messages: 0, lost: [] as string[] }
    mailboxes.push(mailbox)
    const content = mboxOf(
      app,
      { workspaceId, mailboxId, folderId: null },
      {
        onMessage: async () => {
          mailbox.messages++
          counts.messages = (counts.messages ?? 0) + 1
          await onMessage()
        },
        onLost: (messageId) => mailbox.lost.push(messageId),
      },
    )
    yield { name: file, content }
  }
}
