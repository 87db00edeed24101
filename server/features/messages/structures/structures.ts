/**
 * The structures of messages: envelope, parts and their places in the bytes (decision 090). They are written with the mail; one that
 * is missing is read from the bytes and written then. Callers have checked that the mailbox may be read.
 */
import type { App } from '#server/app.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import {
  structureToStore,
  type WrittenStructure,
  writeStructure,
} from '#server/standards/imap-texts/write-structure.ts'
import type { MailStructure } from '#server/standards/mime/structure/mail-structure.ts'
import { readStructureToStore } from '#server/standards/reading/read-message.ts'
import {
  type FolderPlace,
  type MailboxPlace,
  type ReadStructure,
  type StoredStructure,
  storedStructure,
  structuresByUid,
  writeStructures,
} from './structures-store.ts'

export type MessageBytes = { id: string; blob: string; sizeBytes: number }
export type Structured = MessageBytes & { uid: number; structure: MailStructure }

/** Of one statement; the structures of 50,000 messages would be 50 MB in memory. */
const AT_ONCE = 2_000

/**
 * Of the messages with these uids, in the order of the uids, in portions. A message that is gone, or whose bytes are lost, is
 * left out.
 */
export async function* structuresOf(
  app: App,
  place: FolderPlace,
  uids: readonly number[],
): AsyncGenerator<Structured[]> {
  for (let at = 0; at < uids.length; at += AT_ONCE) {
    const rows = await structuresByUid(app.db, place, uids.slice(at, at + AT_ONCE))
    const missing = rows.filter(({ structure }) => structure === null)
    const read = await readMissing(app, place, missing)
    yield rows.flatMap(({ structure, ...row }) => {
      const json = structure ?? read.get(row.uid)?.structure
      return json === undefined ? [] : [{ ...row, structure: JSON.parse(json) as MailStructure }]
    })
  }
}

const WRITTEN_AT_ONCE = 100

/** Structures, or the texts alone where an earlier version wrote none. One after the other, so that few mails are in memory. */
export const readMissing = async (
  app: App,
  { workspaceId }: MailboxPlace,
  rows: readonly StoredStructure[],
): Promise<Map<number, WrittenStructure>> => {
  const read = new Map<number, WrittenStructure>()
  for (let at = 0; at < rows.length; at += WRITTEN_AT_ONCE) {
    const written: (ReadStructure & { uid: number })[] = []
    for (const { id, uid, blob, structure: stored } of rows.slice(at, at + WRITTEN_AT_ONCE)) {
      const structure =
        stored === null
          ? await readUnlessLost(app, workspaceId, blob)
          : writeStructure(JSON.parse(stored))
      if (structure !== null) written.push({ id, uid, ...structure })
    }
    await writeStructures(app.db, written)
    for (const { id, uid, ...structure } of written) read.set(uid, structure)
  }
  return read
}

/** null: the bytes are lost, which the store of blobs has reported. */
export const readUnlessLost = async (
  app: App,
  by: string,
  blob: string,
): Promise<WrittenStructure | null> => {
  try {
    return await readBytes(app, by, blob)
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}

/** @throws BlobMissing, BlobStoreAway */
export const structureOf = async (
  app: App,
  place: MailboxPlace,
  message: MessageBytes,
): Promise<MailStructure> => {
  const stored = await storedStructure(app.db, place, message.id)
  if (stored !== null) return JSON.parse(stored)
  const written = await readBytes(app, place.workspaceId, message.blob)
  await writeStructures(app.db, [{ id: message.id, ...written }])
  return JSON.parse(written.structure)
}

/**
 * On this thread where the other was ended, which another mail has caused: reading takes linear time.
 * @throws BlobMissing, BlobStoreAway
 */
const readBytes = async (app: App, by: string, blob: string): Promise<WrittenStructure> =>
  (await readStructureToStore(await app.blobs.get(blob), by)) ??
  structureToStore(await app.blobs.get(blob))
