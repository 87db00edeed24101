/** Reads messages for mail programs, in portions (RFC 9051 §6.4.5). Their bytes: `structures/read-parts.ts` takes each of these. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import type { MailStructure } from '#server/standards/mime/structure/mail-structure.ts'
import { readMissing } from '../structures/structures.ts'
import { type FolderPlace, structuresByUid } from '../structures/structures-store.ts'
import { type FolderAt, openPlace } from './in-folder.ts'
import {
  isOfStructure,
  messagesOf,
  type StoredColumn,
  type StoredMessage,
  type StructureColumn,
} from './read-store.ts'

/** What is told of the structure is null where the bytes are lost. */
export type MessageByUid = Omit<StoredMessage, 'structure'> & { structure: MailStructure | null }

export type MessageColumn = StoredColumn

type Wanted<Column> = {
  columns: readonly Column[]
  /** Only messages that came or changed after this modseq; null: all. */
  changedSince: number | null
}

/** What is stored of a structure takes up to 100 kB, and twice that with its texts. */
const AT_ONCE = { plain: 1_000, structured: 250 }
/** The first portion is small, so that its answer is on its way soon. */
const FIRST = 100

/** With their uids, and in that order; the given ones ascend, and those that are gone are left out. @throws NOT_EXISTS, FORBIDDEN */
export async function* readByUid<Column extends StoredColumn>(
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
  wanted: Wanted<Column>,
): AsyncGenerator<Pick<MessageByUid, Column | 'uid'>[]> {
  const place = { ...at, workspaceId: who.workspaceId }
  if (!isId(at.mailboxId) || !isId(at.folderId)) throw new AppError('NOT_EXISTS')
  const all: readonly StoredColumn[] = wanted.columns
  const structured = all.filter(isOfStructure)
  const most = structured.length > 0 ? AT_ONCE.structured : AT_ONCE.plain
  const ask = (from: number, many: number) => {
    const reading = { ...place, userId: who.userId, now: app.clock.now() }
    const rows = messagesOf<StoredColumn>(app.db, reading, uids.slice(from, from + many), wanted)
    // Nobody waits for it when the caller ends before.
    rows.catch(() => {})
    return rows
  }
  let asked = ask(0, FIRST)
  for (let from = 0, many = FIRST; from < uids.length; from += many, many = most) {
    const rows = await asked
    // The database reads the next ones while these are told.
    if (from + many < uids.length) asked = ask(from + many, most)
    // Each statement checks the right to read; one that finds nothing does not tell why.
    if (rows.length === 0) await openPlace(app, who, at)
    await addMissing(app, place, rows, structured)
    yield rows.map(structured.includes('structure') ? withParsed : (row) => row as MessageByUid)
  }
}

/** What was not written: all of it, or the texts, which an older version did not know. */
const addMissing = async (
  app: App,
  place: FolderPlace,
  rows: Partial<StoredMessage>[],
  columns: readonly StructureColumn[],
): Promise<void> => {
  const unwritten = rows.filter((row) => columns.some((column) => row[column] === null))
  if (unwritten.length === 0) return
  const uids = unwritten.map(({ uid = 0 }) => uid)
  const read = await readMissing(app, place, await structuresByUid(app.db, place, uids))
  for (const row of unwritten)
    for (const column of columns) row[column] ??= read.get(row.uid ?? 0)?.[column] ?? null
}

const withParsed = (row: Partial<StoredMessage>): MessageByUid => {
  const { structure } = row
  const parsed = typeof structure === 'string' ? (JSON.parse(structure) as MailStructure) : null
  return { ...(row as StoredMessage), structure: parsed }
}
