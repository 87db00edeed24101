/** Reads a part, a range or header fields of a message: those bytes, and not the whole mail (decision 090). */
import type { App } from '#server/app.ts'
import { PIECE_BYTES } from '#server/lib/files/piece-sums.ts'
import { readHeaderBlock } from '#server/standards/mime/structure/header-block.ts'
import {
  type MailStructure,
  type Part,
  usualFields,
} from '#server/standards/mime/structure/mail-structure.ts'
import { readDecoded } from '#server/standards/reading/read-message.ts'
import { type MessageBytes, structureOf } from './structures.ts'
import type { MailboxPlace } from './structures-store.ts'

/** The bytes from `start` up to `end`. @throws BlobMissing, BlobStoreAway */
export const readRange = async (
  app: App,
  { blob, sizeBytes }: MessageBytes,
  { sums }: Pick<MailStructure, 'sums'>,
  { start, end }: { start: number; end: number },
): Promise<Buffer> => {
  if (start >= end) return Buffer.alloc(0)
  if (sums === undefined) return (await app.blobs.get(blob)).subarray(start, end)
  return app.blobs.range(blob, { start, end, size: sizeBytes }, sums)
}

/** The content of a part without its encoding; null when it cannot be decoded in time. */
export const readContent = async (
  app: App,
  message: MessageBytes,
  structure: MailStructure,
  { part: { body, end, encoding = '' }, by }: { part: Part; by: string },
): Promise<Uint8Array | null> =>
  readDecoded(await readRange(app, message, structure, { start: body, end }), encoding, by)

/** The header of the message, with the empty line behind it. */
export const readHeader = (app: App, message: MessageBytes, structure: MailStructure) =>
  readRange(app, message, structure, { start: 0, end: structure.part.body })

/** The beginning of a message, with its header: all of a small one. */
export const readStart = async (
  app: App,
  place: MailboxPlace,
  message: MessageBytes,
): Promise<Buffer> =>
  message.sizeBytes <= PIECE_BYTES
    ? app.blobs.get(message.blob)
    : readHeader(app, message, await structureOf(app, place, message))

/** Fields with these names, whole lines in the order of the header. `names`: lower case. */
export const readFields = async (
  app: App,
  message: MessageBytes,
  structure: MailStructure,
  names: ReadonlySet<string>,
): Promise<Buffer> => {
  const places = placesOf(structure, names)
  if (places === null) return fieldsIn(await readHeader(app, message, structure), names)
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return Buffer.alloc(0)
  const range = await readRange(app, message, structure, { start: first.start, end: last.end })
  return Buffer.concat(
    places.map(({ start, end }) => range.subarray(start - first.start, end - first.start)),
  )
}

/** null: the structure does not have the places of all of them. */
const placesOf = ({ fields }: MailStructure, names: ReadonlySet<string>) => {
  if (fields === undefined || ![...names].every((name) => usualFields.includes(name))) return null
  const places: { start: number; end: number }[] = []
  for (let at = 0; at < fields.length; at += 3) {
    const [n = 0, start = 0, length = 0] = fields.slice(at, at + 3)
    if (names.has(usualFields[n] ?? '')) places.push({ start, end: start + length })
  }
  return places
}

const fieldsIn = (header: Buffer, names: ReadonlySet<string>): Buffer =>
  Buffer.concat(
    readHeaderBlock(header, 0, () => false)
      .fields.filter(({ name }) => names.has(name))
      .map(({ start, end }) => header.subarray(start, end)),
  )
