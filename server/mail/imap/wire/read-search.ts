/** SEARCH, SORT and THREAD (RFC 9051 §6.4.4, RFC 5256, RFC 9394). */
import type { Named, SearchReturn, SortKey } from './command.ts'
import { BadSyntax, type Cursor } from './cursor.ts'
import { readPortion } from './read-fetch.ts'
import { KeyReader } from './read-search-keys.ts'

export const readSearch = (isUid: boolean, cursor: Cursor, now: number): Named<'SEARCH'> => {
  const returns = readReturn(cursor)
  cursor.space()
  if (cursor.take('CHARSET ')) {
    checkCharset(cursor.astring().toString('latin1'))
    cursor.space()
  }
  const { key, asksModseq } = new KeyReader(cursor, now).readAll()
  return { name: 'SEARCH', isUid, returns, key, asksModseq }
}

export const readSort = (isUid: boolean, cursor: Cursor, now: number): Named<'SORT'> => {
  const returns = readReturn(cursor)
  cursor.space()
  const order = cursor.list(() => readSortKey(cursor))
  if (order.length === 0 || order.length > 20) throw new BadSyntax('SORT takes some criteria')
  return { name: 'SORT', order, returns, ...readRest(isUid, cursor, now) }
}

export const readThread = (isUid: boolean, cursor: Cursor, now: number): Named<'THREAD'> => {
  cursor.space()
  if (cursor.word('The name of an algorithm') !== 'REFERENCES')
    throw new BadSyntax('THREAD knows REFERENCES')
  return { name: 'THREAD', returns: null, ...readRest(isUid, cursor, now) }
}

const readRest = (isUid: boolean, cursor: Cursor, now: number) => {
  cursor.space()
  checkCharset(cursor.astring().toString('latin1'))
  cursor.space()
  return { isUid, ...new KeyReader(cursor, now).readAll() }
}

/** The answer to another one lists those that are known (RFC 9051 §7.1). */
export class BadCharset extends BadSyntax {
  override name = 'BadCharset'
}

const checkCharset = (name: string): void => {
  if (!/^(?:us-ascii|utf-8)$/i.test(name)) throw new BadCharset('The charset is not known')
}

const sortKeys: ReadonlySet<string> = new Set<SortKey['by']>([
  ...(['ARRIVAL', 'CC', 'DATE', 'FROM', 'SIZE', 'SUBJECT', 'TO'] as const),
  ...(['DISPLAYFROM', 'DISPLAYTO'] as const),
])

const readSortKey = (cursor: Cursor): SortKey => {
  const isReverse = cursor.take('REVERSE ')
  const by = cursor.word('A criterion of SORT')
  if (!sortKeys.has(by)) throw new BadSyntax(`SORT does not know ${by.slice(0, 40)}`)
  return { by: by as SortKey['by'], isReverse }
}

/** RFC 4731, RFC 5267. null: the answer of old. */
const readReturn = (cursor: Cursor): SearchReturn | null => {
  if (!cursor.take(' RETURN ')) return null
  const options = new Set<'MIN' | 'MAX' | 'ALL' | 'COUNT' | 'SAVE'>()
  let partial: SearchReturn['partial'] = null
  cursor.list(() => {
    if (cursor.take('PARTIAL ')) {
      partial = readPortion(cursor)
      return
    }
    const option = cursor.word('An option of RETURN')
    if (!['MIN', 'MAX', 'ALL', 'COUNT', 'SAVE'].includes(option))
      throw new BadSyntax(`RETURN does not know ${option.slice(0, 40)}`)
    options.add(option as 'MIN')
  })
  if (options.size === 0 && partial === null) options.add('ALL')
  return { options, partial }
}
