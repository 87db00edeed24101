/** What the header of a part says of it. */
import { type HeaderField, textOfField } from './header-block.ts'
import type { Parameters, Part } from './mail-structure.ts'
import { parameterizedValue } from './parameters.ts'
import type { Room } from './room.ts'

export type PartHeader = Omit<Part, 'header' | 'body' | 'end' | 'lines' | 'parts' | 'message'>
/** `boundary`: of a multipart, '' when it has none; null: no multipart. */
export type DescribedPart = { header: PartHeader; boundary: string | null }

const texts = {
  'content-id': 'id',
  'content-description': 'description',
  'content-md5': 'md5',
  'content-location': 'location',
} as const

/** Never left out, so they are short. */
const MAX_WORD = 30
/** That of a text document has 62. */
const MAX_SUBTYPE = 80

/** `usual`: the type of a part that names none. Of two fields with one name the first counts. */
export const describePart = (
  bytes: Buffer,
  fields: readonly HeaderField[],
  usual: string,
  room: Room,
): DescribedPart => {
  const values = new Map<string, HeaderField>()
  for (const field of fields)
    if (field.name.startsWith('content-') && !values.has(field.name)) values.set(field.name, field)
  const textOf = (name: string): string => {
    const field = values.get(name)
    return field === undefined ? '' : textOfField(bytes, field)
  }
  const { header, boundary } = typeOf(textOf('content-type'), usual, room)
  const encoding = textOf('content-transfer-encoding').replace(/[\s;(].*$/, '')
  if (encoding !== '') header.encoding = encoding.slice(0, MAX_WORD)
  for (const [name, key] of Object.entries(texts)) {
    const text = room.text(textOf(name))
    if (text !== '') header[key] = text
  }
  const { value, parameters } = parameterizedValue(textOf('content-disposition'))
  const disposition = value.slice(0, MAX_WORD)
  if (disposition !== '') header.disposition = { value: disposition, ...kept(parameters, room) }
  const language = textOf('content-language')
    .split(/[\s,]+/)
    .filter((tag) => tag !== '')
  if (language.length > 0 && room.holds(language)) header.language = language
  return { header, boundary }
}

const typeOf = (text: string, usual: string, room: Room): DescribedPart => {
  const { value, parameters } = parameterizedValue(text === '' ? usual : text)
  const [type = '', subtype = ''] = fullType(value).split('/')
  const boundary = /^multipart$/i.test(type) ? parameterOf(parameters, 'boundary') : null
  const [short, shortSub] = [type.slice(0, MAX_WORD), subtype.slice(0, MAX_SUBTYPE)]
  return { header: { type: short, subtype: shortSub, ...kept(parameters, room) }, boundary }
}

/** As `nodes.ts` reads a type without a slash. */
const fullType = (value: string): string => {
  const [, type = '', subtype = ''] = /^\s*([^\s/]+)\s*\/\s*([^\s/]+)/.exec(value) ?? []
  if (subtype !== '') return `${type}/${subtype}`
  if (/^html$/i.test(value)) return 'text/html'
  return /^(?:text|plain|)\/?$/i.test(value) ? 'text/plain' : 'application/octet-stream'
}

const parameterOf = (parameters: Parameters, name: string): string => {
  for (let at = 0; at < parameters.length; at += 2)
    if (parameters[at]?.toLowerCase() === name) return parameters[at + 1] ?? ''
  return ''
}

/** Parameters for which there is room. */
const kept = (parameters: Parameters, room: Room): { parameters?: Parameters } => {
  const found: Parameters = []
  for (let at = 0; at < parameters.length; at += 2) {
    const pair = parameters.slice(at, at + 2)
    if (room.holds(pair)) found.push(...pair)
  }
  return found.length === 0 ? {} : { parameters: found }
}

/** A message inside. */
export const isMessage = ({ type, subtype }: PartHeader): boolean =>
  /^message$/i.test(type) && /^rfc822$/i.test(subtype)

/** Encoded, against RFC 2046 §5.2.1, it has no parts that are bytes of the mail. */
export const isEncoded = ({ encoding = '' }: PartHeader): boolean =>
  /base64|quoted-printable/i.test(encoding)

/** For a type that promises parts which are not there. */
export const asFile = (header: PartHeader): PartHeader => ({
  ...header,
  type: 'application',
  subtype: 'octet-stream',
})
