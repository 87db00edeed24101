/** Reads messages for mail programs, in portions (RFC 9051 §6.4.5). Their bytes: `structures/read-parts.ts` takes each of these. */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import type { MailStructure } from '#server/standards/mime/structure/mail-structure.ts'
import { readMissing } from '../structures/structures.ts'
import { type FolderAt, openPlace } from './in-folder.ts'
import { messagesOf, type StoredMessage } from './read-store.ts'

export type MessageByUid = Omit<StoredMessage, 'structure'> & {
  /** null: not asked for, or the bytes are lost. */
  structure: MailStructure | null
}

type Wanted = {
  isStructured: boolean
  /** Only messages that came or changed after this modseq; null: all. */
  changedSince: number | null
}

/** Structures take up to 100 kB each. */
const AT_ONCE = { plain: 1_000, structured: 250 }
/** The first portion is small, so that its answer is on its way soon. */
const FIRST = 100

/** In the order of the given uids, which ascend, without those that are gone. @throws NOT_EXISTS, FORBIDDEN */
export async function* readByUid(
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
  wanted: Wanted,
): AsyncGenerator<MessageByUid[]> {
  const place = await openPlace(app, who, at)
  const most = wanted.isStructured ? AT_ONCE.structured : AT_ONCE.plain
  const ask = (from: number, many: number) => {
    const rows = messagesOf(app.db, place, uids.slice(from, from + many), wanted)
    // Nobody waits for it when the caller ends before.
    rows.catch(() => {})
    return rows
  }
  let asked = ask(0, FIRST)
  for (let from = 0, many = FIRST; from < uids.length; from += many, many = most) {
    const rows = await asked
    // The database reads the next ones while these are told.
    if (from + many < uids.length) asked = ask(from + many, most)
    const missing = wanted.isStructured ? rows.filter(({ structure }) => structure === null) : []
    const read = await readMissing(app, place, missing)
    yield rows.map((row) => {
      const json = row.structure ?? read.get(row.id) ?? null
      return { ...row, structure: json === null ? null : (JSON.parse(json) as MailStructure) }
    })
  }
}
