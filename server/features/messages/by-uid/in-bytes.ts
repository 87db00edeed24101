/** What only the bytes of a message can tell a search: other fields of its header, and texts that are not stored. */
import type { App } from '#server/app.ts'
import { decodeText } from '#server/standards/mime/charset.ts'
import { decodeWords } from '#server/standards/mime/encoded-words.ts'
import { readHeaderBlock, textOfField } from '#server/standards/mime/structure/header-block.ts'
import {
  type MailStructure,
  type Part,
  usualFields,
} from '#server/standards/mime/structure/mail-structure.ts'
import { readContent, readFields, readHeader } from '../structures/read-parts.ts'
import type { MessageBytes } from '../structures/structures.ts'
import { dayNumber, isUnspaced, NAMED_DAY } from './conditions-store.ts'
import type { Leaf } from './criteria-tree.ts'

export type Sought = { message: MessageBytes; structure: MailStructure; by: string }

export type Reading = {
  /** Only of texts that are not stored. */
  isRest: boolean
  budget: Budget
}

/** What a search may still read for words that stand nowhere in the stored text. */
export type Budget = { messages: number; bytes: number }

/** @throws BlobMissing, BlobStoreAway */
export const isTrueOf = async (
  app: App,
  sought: Sought,
  leaf: Leaf,
  { isRest, budget }: Reading,
): Promise<boolean> => {
  if ('header' in leaf) return isInHeader(app, sought, leaf)
  if ('date' in leaf) return isSentThen(sought, leaf)
  if (!('in' in leaf)) return false
  const { contains } = leaf
  if (leaf.in === 'body' && !isUnspaced(contains)) return isInParts(app, sought, contains, isRest)
  const cost = Math.min(sought.message.sizeBytes, MOST_OF_ONE)
  if (budget.messages < 1 || budget.bytes < cost) return false
  budget.messages -= 1
  budget.bytes -= cost
  if (leaf.in === 'body') return isInParts(app, sought, contains, false)
  const isStored = !isUnspaced(contains)
  return (await isInFields(app, sought, contains)) || isInParts(app, sought, contains, isStored)
}

/** Of a larger message only its header is read. */
const MOST_OF_ONE = 131_072

const plain = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase().normalize('NFC')

const isInHeader = async (
  app: App,
  { message, structure }: Sought,
  { header, contains }: { header: string; contains: string },
): Promise<boolean> => {
  const { fields: places } = structure
  if (places !== undefined && usualFields.includes(header)) {
    const isThere = places.some((name, n) => n % 3 === 0 && usualFields[name] === header)
    if (!isThere || contains === '') return isThere
  }
  const bytes = await readFields(app, message, structure, new Set([header]))
  const wanted = plain(contains).trim()
  return textsOf(bytes).some((text) => plain(text).includes(wanted))
}

/** The texts of fields, decoded. */
const textsOf = (bytes: Buffer): string[] =>
  readHeaderBlock(bytes, 0, () => false).fields.map((field) =>
    decodeWords(textOfField(bytes, field)),
  )

const isInFields = async (
  app: App,
  { message, structure }: Sought,
  text: string,
): Promise<boolean> => {
  const bytes = await readHeader(app, message, structure)
  const wanted = plain(text)
  return (
    plain(bytes.toString('latin1')).includes(wanted) ||
    textsOf(bytes).some((each) => plain(each).includes(wanted))
  )
}

/** `isRest`: only parts whose text is not among what is stored. */
const isInParts = async (
  app: App,
  { message, structure, by }: Sought,
  text: string,
  isRest: boolean,
): Promise<boolean> => {
  const wanted = plain(text)
  for (const part of isRest ? attachedIn(structure.part) : textsIn(structure.part)) {
    const content = await readContent(app, message, structure, { part, by })
    if (content !== null && plain(decodeText(content, charsetOf(part))).includes(wanted))
      return true
  }
  return false
}

const textsIn = (part: Part): Part[] => {
  if (part.message !== undefined) return textsIn(part.message.part)
  if (part.parts !== undefined) return part.parts.flatMap(textsIn)
  return /^text$/i.test(part.type) ? [part] : []
}

const isAttached = ({ disposition }: Part): boolean =>
  /^attachment$/i.test(disposition?.value ?? '')

/** Texts in attached files and messages. */
const attachedIn = (part: Part): Part[] => {
  if (part.message !== undefined) return textsIn(part.message.part)
  if (part.parts !== undefined) return part.parts.flatMap(attachedIn)
  return isAttached(part) ? textsIn(part) : []
}

const charsetOf = ({ parameters = [] }: Part): string => {
  for (let at = 0; at < parameters.length; at += 2)
    if (parameters[at]?.toLowerCase() === 'charset') return parameters[at + 1] ?? ''
  return ''
}

const namedDay = new RegExp(NAMED_DAY, 'i')
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** By the day that the header names, whatever its zone (RFC 9051 §6.4.4, SENTBEFORE). */
const isSentThen = (
  { structure: { envelope } }: Sought,
  leaf: Extract<Leaf, { date: string }>,
): boolean => {
  const [, day, month = '', year] = namedDay.exec(envelope.date ?? '') ?? []
  if (year === undefined) return false
  const sent = Number(year) * 10_000 + (months.indexOf(month.toLowerCase()) + 1) * 100 + Number(day)
  return 'from' in leaf ? sent >= dayNumber(leaf.from) : sent < dayNumber(leaf.before)
}
