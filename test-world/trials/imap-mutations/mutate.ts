/** Changes what a mail program sends, at random: bytes, tokens, lines, literals and nesting. */
import type { Chance } from '../seeded.ts'

/** What parsers stumble over. */
const TOKENS = [
  ...[
    '(',
    ')',
    '((',
    '))',
    '"',
    '\\',
    '\\"',
    '[',
    ']',
    '<',
    '>',
    '<0.0>',
    '<4294967295.1>',
    '*',
    '%',
  ],
  ...['\0', '\r', '\n', '\r\n', '\r\n\r\n', ' ', '  ', '\t', '\x80', '\xff', '\xc3\xa4', '\x7f'],
  ...[
    '{0}',
    '{0+}',
    '{1}\r\n',
    '{3+}\r\nabc',
    '{4294967296}\r\n',
    '{99999999999+}\r\n',
    '{-1}\r\n',
  ],
  ...['{25000000}\r\n', '{25000001+}\r\n', '{4000+}\r\n', '{}', '~{3+}\r\nabc', '{3+}', '"\r\n"'],
  ...[
    '0',
    '-1',
    '1',
    '4294967295',
    '4294967296',
    '18446744073709551616',
    '1:*',
    '*:1',
    '1,,2',
    '$',
  ],
  ...['1:4294967295', '*:*', ',', ':', '1:2:3', 'NIL', 'nil', '&', '&-', '&AAA-', '&2AA-', '&//8-'],
  ...[
    'UID ',
    'UID UID ',
    'NOT ',
    'OR ',
    'OR OR ',
    'NOT NOT ',
    'ALL ',
    'BODY[',
    'BODY.PEEK[1.1.1.1]',
  ],
  ...[
    'BODY[HEADER.FIELDS (',
    'BINARY.SIZE[1]',
    'RETURN (',
    'RETURN ()',
    'CHARSET KOI8-R ',
    '__proto__',
  ],
  ...[
    'constructor',
    'IDLE\r\n',
    'DONE\r\n',
    'STARTTLS\r\n',
    'LOGOUT\r\n',
    'AUTHENTICATE LOGIN\r\n',
  ],
  ...['CLOSE\r\n', 'x NOOP\r\n', '=', '*\r\n', '" 1-Jan-0000 00:00:00 +9999"', '31-Feb-2026'],
] as const
const first = TOKENS[0]
const DEEP = 3_000
const MANY_BYTES = 60_000

type Change = (text: string, chance: Chance) => string

const placeIn = (text: string, { between }: Chance): number => between(0, text.length)
const put = (text: string, at: number, what: string, without = 0): string =>
  text.slice(0, at) + what + text.slice(at + without)
const tokenOf = ({ oneOf }: Chance): string => oneOf([first, ...TOKENS])
const byteOf = ({ between }: Chance): string => String.fromCharCode(between(0, 255))

const changes: readonly [Change, ...Change[]] = [
  (text, chance) => put(text, placeIn(text, chance), byteOf(chance), 1),
  (text, chance) => put(text, placeIn(text, chance), byteOf(chance)),
  (text, chance) => put(text, placeIn(text, chance), '', chance.between(1, 4)),
  (text, chance) => put(text, placeIn(text, chance), tokenOf(chance)),
  (text, chance) => put(text, placeIn(text, chance), tokenOf(chance), chance.between(1, 8)),
  (text, chance) => replaceNumber(text, chance),
  (text, chance) => replaceWord(text, chance),
  (text, chance) => text.slice(0, placeIn(text, chance)),
  (text, chance) => moveLine(text, chance, 0),
  (text, chance) => moveLine(text, chance, 1),
  (text, chance) => repeated(text, chance),
  (text, chance) => nested(text, chance),
  (text, chance) => asLiteral(text, chance),
]

/** One to six changes. */
export const mutate = (text: string, chance: Chance): string => {
  let changed = text
  for (let left = chance.between(1, 6); left > 0; left--)
    changed = chance.oneOf(changes)(changed, chance)
  return changed
}

/** Of one kind, chosen at random. */
const replaceOne = (text: string, kind: RegExp, chance: Chance, by: (found: string) => string) => {
  const found = [...text.matchAll(kind)]
  const one = found[chance.between(0, found.length - 1)]
  return one === undefined ? text : put(text, one.index, by(one[0]), one[0].length)
}
const NUMBERS = ['0', '1', '2', '999', '4294967295', '4294967296', '-1', '00', '1:*', '*'] as const
const replaceNumber: Change = (text, chance) =>
  replaceOne(text, /\d+/g, chance, () => chance.oneOf(NUMBERS))
const replaceWord: Change = (text, chance) =>
  replaceOne(text, /[^\s()"]+/g, chance, () => tokenOf(chance))
/** So that names and flags come as literals, with and without waiting, true and false. */
const asLiteral: Change = (text, chance) =>
  replaceOne(text, /[^\s()"[\]{}]+/g, chance, (word) => {
    const length = Math.max(0, word.length + chance.oneOf([0, 0, 0, 1, -1, 100]))
    return `{${length}${chance.oneOf(['+', '+', ''])}}\r\n${word}`
  })

/** To another place, or to two. */
const moveLine = (text: string, chance: Chance, kept: 0 | 1): string => {
  const lines = text.split('\r\n')
  const from = chance.between(0, lines.length - 1)
  const [line = ''] = kept === 1 ? [lines[from]] : lines.splice(from, 1)
  lines.splice(chance.between(0, lines.length), 0, line)
  return lines.join('\r\n')
}

const repeated: Change = (text, chance) => {
  const at = placeIn(text, chance)
  const piece = text.slice(at, at + chance.between(1, 60))
  return put(text, at, piece.repeat(chance.oneOf([2, 10, 200, Math.ceil(MANY_BYTES / 60)])))
}

const BRACKETS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ...([['(', ')']] as const),
  ...([
    ['NOT ', ''],
    ['OR ALL ', ''],
    ['NOT (', ')'],
    ['(OR (ALL) ', ')'],
  ] as const),
]
const nested: Change = (text, chance) => {
  const [open, shut] = chance.oneOf(BRACKETS)
  const depth = chance.oneOf([3, 30, DEEP])
  const shuts = chance.oneOf([depth, depth - 1, 0])
  return replaceOne(
    text,
    /[^\s()"]+/g,
    chance,
    (word) => `${open.repeat(depth)}${word}${shut.repeat(shuts)}`,
  )
}

/** As they reach the wire: all at once, or in pieces. */
export const piecesOf = (bytes: Buffer, chance: Chance): Buffer[] => {
  const most = chance.oneOf([0, 0, 1, 3, 10])
  const cuts = Array.from({ length: most }, () => chance.between(0, bytes.length))
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, n) => bytes.subarray(places[n], end))
}
