/** FETCH (RFC 9051 §6.4.5), with BINARY (RFC 3516), CONDSTORE, QRESYNC (RFC 7162), PREVIEW (RFC 8970) and PARTIAL (RFC 9394). */

import { stringText } from '#server/standards/imap-texts/strings.ts'
import type { FetchItem, Named, PlainItem, Portion, SectionItem } from './command.ts'
import { BadSyntax, type Cursor } from './cursor.ts'
import { readSet } from './message-sets.ts'

const fast: FetchItem[] = [{ item: 'FLAGS' }, { item: 'INTERNALDATE' }, { item: 'RFC822.SIZE' }]
const all: FetchItem[] = [...fast, { item: 'ENVELOPE' }]
const macros: Record<string, FetchItem[]> = {
  FAST: fast,
  ALL: all,
  FULL: [...all, { item: 'BODY' }],
}

const plainItems: ReadonlySet<string> = new Set<PlainItem>([
  ...([
    'FLAGS',
    'UID',
    'INTERNALDATE',
    'RFC822.SIZE',
    'ENVELOPE',
    'BODY',
    'BODYSTRUCTURE',
  ] as const),
  ...(['MODSEQ', 'EMAILID', 'THREADID', 'SAVEDATE', 'PREVIEW'] as const),
])

const MAX_ITEMS = 500

export const readFetch = (isUid: boolean, cursor: Cursor): Named<'FETCH'> => {
  cursor.space()
  const set = readSet(cursor)
  cursor.space()
  const items = readItems(cursor)
  return { name: 'FETCH', isUid, set, items, ...readModifiers(cursor) }
}

const readItems = (cursor: Cursor): FetchItem[] => {
  if (cursor.peek() === '(') return readFetchList(cursor)
  const name = cursor.name()
  return (Object.hasOwn(macros, name) ? macros[name] : undefined) ?? [readItem(cursor, name)]
}

/** Between parentheses. */
export const readFetchList = (cursor: Cursor): FetchItem[] => {
  const items = cursor.list(() => readItem(cursor, cursor.name()))
  if (items.length > MAX_ITEMS) throw new BadSyntax('FETCH asks for too many items')
  return items
}

const readItem = (cursor: Cursor, name: string): FetchItem => {
  if (/^(?:BODY|BINARY)(?:\.PEEK)?$/.test(name) && cursor.take('['))
    return readSection(cursor, name)
  if (name === 'BINARY.SIZE') {
    cursor.expect('[')
    return { ...readSection(cursor, name), as: 'decoded-size', isPeek: true }
  }
  if (name === 'RFC822') return oldItem(name, 'ALL', false)
  if (name === 'RFC822.HEADER') return oldItem(name, 'HEADER', true)
  if (name === 'RFC822.TEXT') return oldItem(name, 'TEXT', false)
  if (!plainItems.has(name)) throw new BadSyntax(`FETCH does not know ${name.slice(0, 40)}`)
  if (name === 'PREVIEW' && cursor.take(' (')) {
    cursor.expect('LAZY')
    cursor.expect(')')
  }
  return { item: name as PlainItem }
}

const oldItem = (label: string, of: SectionItem['of'], isPeek: boolean): SectionItem => ({
  ...{ item: 'SECTION', label, part: [], of, fields: [], isPeek, range: null, as: 'sent' },
})

const MAX_DEPTH = 100

/** Behind its opening bracket. */
const readSection = (cursor: Cursor, name: string): SectionItem => {
  const part: number[] = []
  while (/\d/.test(cursor.peek())) {
    part.push(cursor.number())
    if (part.length > MAX_DEPTH) throw new BadSyntax('A part is too deep')
    if (!cursor.take('.')) break
  }
  const { of, fields, text } = readSectionText(cursor)
  if (of === 'MIME' && part.length === 0) throw new BadSyntax('MIME is of a part')
  cursor.expect(']')
  const isBinary = name.startsWith('BINARY')
  if (isBinary && of !== 'ALL') throw new BadSyntax('BINARY takes the number of a part')
  const where = [part.join('.'), text].filter((each) => each !== '').join('.')
  return {
    ...{ item: 'SECTION', label: `${name.replace('.PEEK', '')}[${where}]`, part, of, fields },
    isPeek: name.endsWith('.PEEK'),
    range: cursor.take('<') ? readRange(cursor) : null,
    as: isBinary ? 'decoded' : 'sent',
  }
}

const readSectionText = (cursor: Cursor): Pick<SectionItem, 'of' | 'fields'> & { text: string } => {
  for (const text of ['MIME', 'TEXT'] as const)
    if (cursor.take(text)) return { of: text, fields: [], text }
  if (!cursor.take('HEADER')) return { of: 'ALL', fields: [], text: '' }
  if (!cursor.take('.FIELDS')) return { of: 'HEADER', fields: [], text: 'HEADER' }
  const isNot = cursor.take('.NOT')
  cursor.space()
  const names = cursor.list(() => cursor.astring().toString('latin1'))
  if (names.length === 0 || names.length > 200)
    throw new BadSyntax('HEADER.FIELDS takes some names')
  const told = names.map((name) =>
    /^[!#-'*-[\]^-z|}~]+$/.test(name) ? name : stringText(name, false),
  )
  return {
    of: isNot ? 'NOT_FIELDS' : 'FIELDS',
    fields: names.map((name) => name.toLowerCase()),
    text: `HEADER.FIELDS${isNot ? '.NOT' : ''} (${told.join(' ')})`,
  }
}

const readRange = (cursor: Cursor): { offset: number; length: number } => {
  const offset = cursor.number()
  cursor.expect('.')
  const length = cursor.number()
  cursor.expect('>')
  return { offset, length }
}

const readModifiers = (
  cursor: Cursor,
): Pick<Named<'FETCH'>, 'changedSince' | 'isVanished' | 'partial'> => {
  let changedSince: number | null = null
  let isVanished = false
  let partial: Portion | null = null
  if (cursor.take(' '))
    cursor.list(() => {
      if (cursor.take('CHANGEDSINCE ')) changedSince = cursor.bigNumber()
      else if (cursor.take('VANISHED')) isVanished = true
      else if (cursor.take('PARTIAL ')) partial = readPortion(cursor)
      else throw new BadSyntax('A modifier of FETCH is not known')
    })
  return { changedSince, isVanished, partial }
}

/** `1:500`, or `-1:-500` from the end. */
export const readPortion = (cursor: Cursor): Portion => {
  const ends = [readPosition(cursor)]
  cursor.expect(':')
  ends.push(readPosition(cursor))
  const [a = 1, b = 1] = ends
  if (a > 0 !== b > 0) throw new BadSyntax('Both ends of PARTIAL count from the same side')
  return Math.abs(a) < Math.abs(b) ? { first: a, last: b } : { first: b, last: a }
}

const readPosition = (cursor: Cursor): number => {
  const sign = cursor.take('-') ? -1 : 1
  const number = cursor.number()
  if (number === 0) throw new BadSyntax('PARTIAL counts from 1')
  return sign * number
}
