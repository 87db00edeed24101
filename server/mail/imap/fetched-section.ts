/** BODY[...] and BINARY[...] of a FETCH answer: bytes of the mail (RFC 9051 §6.4.5.1). */
import type { App } from '#server/app.ts'
import type { MessageByUid } from '#server/features/messages/by-uid/read-by-uid.ts'
import {
  readContent,
  readFields,
  readRange,
} from '#server/features/messages/structures/read-parts.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { readHeaderBlock } from '#server/standards/mime/structure/header-block.ts'
import type { MailStructure } from '#server/standards/mime/structure/mail-structure.ts'
import type { Session } from './session.ts'
import type { SectionItem } from './wire/command.ts'
import { findSection } from './wire/find-section.ts'

type Place = { session: Session; app: App; place: { workspaceId: string } }

/** What this reads of a message. */
export const sectionColumns = ['id', 'blob', 'sizeBytes', 'structure'] as const

type Message = Pick<MessageByUid, (typeof sectionColumns)[number]>

/** null: it cannot be decoded, or the bytes are lost. */
export const sectionItem = async (
  at: Place,
  message: Message,
  item: SectionItem,
): Promise<(string | Buffer)[] | null> => {
  const { structure } = message
  if (structure === null) return null
  try {
    const bytes = await bytesOf(at, message, structure, item)
    if (bytes === null) return null
    if (item.as === 'decoded-size') return [`${item.label} ${bytes.length}`]
    const { range } = item
    const shown = range === null ? bytes : bytes.subarray(range.offset, range.offset + range.length)
    const origin = range === null ? '' : `<${range.offset}>`
    const sign = item.as === 'decoded' && shown.includes(0) ? '~' : ''
    return [`${item.label}${origin} ${sign}{${shown.length}}\r\n`, shown]
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}

const nothing = Buffer.alloc(0)

/** null: its encoding is broken, or not known. */
const bytesOf = async (
  { app, place }: Place,
  message: Message,
  structure: MailStructure,
  item: SectionItem,
): Promise<Buffer | null> => {
  const { of, part: numbers } = item
  const names = new Set(item.fields)
  if (of === 'FIELDS' && numbers.length === 0)
    return Buffer.concat([await readFields(app, message, structure, names), Buffer.from('\r\n')])
  const found = findSection(structure, item)
  if (found === null) return nothing
  if (item.as !== 'sent' && numbers.length > 0) {
    const by = place.workspaceId
    const content = await readContent(app, message, structure, { part: found.part, by })
    return content === null ? null : Buffer.from(content.buffer, content.byteOffset, content.length)
  }
  const { start, end } = found
  if (of === 'FIELDS' || of === 'NOT_FIELDS') {
    const header = await readRange(app, message, structure, { start, end })
    return fieldsOf(header, (name) => names.has(name) === (of === 'FIELDS'))
  }
  return readAsked(app, message, structure, { start, end }, item)
}

/** No more than was asked for; the bytes before stand for themselves, so that the range stays the same. */
const readAsked = async (
  app: App,
  message: Message,
  structure: MailStructure,
  { start, end }: { start: number; end: number },
  { range }: SectionItem,
): Promise<Buffer> => {
  if (range === null) return readRange(app, message, structure, { start, end })
  const from = Math.min(end, start + range.offset)
  const bytes = await readRange(app, message, structure, {
    ...{ start: from, end: Math.min(end, from + range.length) },
  })
  return bytes
}

const fieldsOf = (header: Buffer, isWanted: (name: string) => boolean): Buffer => {
  const { fields } = readHeaderBlock(header, 0, () => false)
  const kept = fields
    .filter(({ name }) => isWanted(name))
    .map(({ start, end }) => header.subarray(start, end))
  return Buffer.concat([...kept, Buffer.from('\r\n')])
}
