import type { Chance } from '../trials/seeded.ts'
import { mailsWithFiles } from './files.ts'
import { letters } from './letters.ts'

const kinds = [...mailsWithFiles, ...letters]

const pieces = [
  '--b\r\n',
  '--b--\r\n',
  '\r\n',
  '\n',
  '\0',
  '--b',
  '\r\n\r\n',
  ';',
  '"',
  '(',
  '<',
  ':',
  'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
  'Content-Type: message/rfc822\n\n',
  'To: \xff <',
  '=?utf-8?Q?',
] as const

/** A mail of a usual kind, with pieces put in and taken out at random. */
export const aBrokenMail = (chance: Chance): Buffer => {
  const from = kinds[chance.between(0, kinds.length - 1)]?.raw ?? Buffer.alloc(0)
  let raw = from.subarray(0, 20_000)
  for (let n = chance.between(0, 12); n > 0; n--) {
    const at = chance.between(0, raw.length)
    const rest = raw.subarray(
      Math.min(raw.length, at + chance.between(0, 1) * chance.between(0, 300)),
    )
    const random = Buffer.from(
      Array.from({ length: chance.between(0, 8) }, () => chance.between(0, 255)),
    )
    raw = Buffer.concat([
      raw.subarray(0, at),
      Buffer.from(chance.oneOf(pieces), 'latin1'),
      random,
      rest,
    ])
  }
  return raw
}
