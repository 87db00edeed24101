import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '#test-world/any-character.ts'
import { type ZoneEntry, zoneFile } from './zone-file.ts'

const txt = (name: string, text: string, isActive = true): ZoneEntry => ({
  comments: [],
  isActive,
  record: { name, ttlSeconds: 3600, type: 'TXT', text },
})

test('a zone file, line by line', () => {
  const key = `v=DKIM1; k=rsa; p=${'A'.repeat(300)}`
  const mx: ZoneEntry = {
    comments: ['Where mail is delivered.'],
    isActive: true,
    record: {
      name: 'sub.example.com',
      ttlSeconds: 600,
      type: 'MX',
      preference: 10,
      host: 'mail.host.test',
    },
  }
  const spf = txt('example.com', 'v=spf1 "q" back\\slash ~all', false)
  const file = zoneFile(
    'example.com',
    ['Two\nlines'],
    [txt('k._domainkey.example.com', key), spf, mx],
  )
  expect(file.split('\n')).toEqual([
    '; Two?lines',
    '$ORIGIN example.com.',
    '',
    `k._domainkey 3600 IN TXT "${key.slice(0, 255)}" "${key.slice(255)}"`,
    '',
    ';@ 3600 IN TXT "v=spf1 \\"q\\" back\\\\slash ~all"',
    '',
    '; Where mail is delivered.',
    'sub 600 IN MX 10 mail.host.test.',
    '',
  ])
})

test('a name outside the zone stays absolute', () => {
  expect(zoneFile('sub.example.com', [], [txt('_dmarc.example.com', 'x')])).toContain(
    '\n_dmarc.example.com. 3600 IN TXT "x"\n',
  )
})

test('what is read back is what was written, whatever bytes it has', () => {
  const label = fc.string({ unit: fc.constantFrom(...'abz09_-'), minLength: 1, maxLength: 9 })
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'a"\\;() @\n=0'), maxLength: 300 }),
  )
  const entry = fc.record({
    labels: fc.array(label, { maxLength: 3 }),
    text,
    comments: fc.array(text, { maxLength: 1 }),
    isActive: fc.boolean(),
    ttlSeconds: fc.nat(2 ** 31 - 1),
  })
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 3 }),
      fc.array(text, { maxLength: 1 }),
      (made, header) => {
        const entries = made.map(
          ({ labels, text, comments, isActive, ttlSeconds }): ZoneEntry => ({
            comments,
            isActive,
            record: { type: 'TXT', name: [...labels, 'example.com'].join('.'), ttlSeconds, text },
          }),
        )
        const file = zoneFile('example.com', header, entries)
        expect(file).toMatch(/^[\n\x20-\x7e]*$/)
        const read = readMasterFile(file)
        expect(read.map(({ name, ttlSeconds, bytes }) => [name, ttlSeconds, bytes])).toEqual(
          entries
            .filter(({ isActive }) => isActive)
            .map(({ record }) => [
              record.name,
              record.ttlSeconds,
              record.type === 'TXT' ? Buffer.from(record.text).toString('hex') : '',
            ]),
        )
        for (const { longest } of read) expect(longest).toBeLessThanOrEqual(255)
      },
    ),
  )
})

type ReadRecord = { name: string; ttlSeconds: number; bytes: string; longest: number }

/** An RFC 1035 §5.1 reader that is independent of the writer; TXT records only, no parentheses. */
const readMasterFile = (file: string): ReadRecord[] => {
  let origin = ''
  const records: ReadRecord[] = []
  for (const line of file.split('\n')) {
    const words = wordsOf(line)
    if (words.length === 0) continue
    const [name = '', ttl = '', inClass, type, ...strings] = words.map((bytes) =>
      bytes.toString('latin1'),
    )
    if (name === '$ORIGIN') {
      origin = ttl.slice(0, -1)
      continue
    }
    expect([inClass, type]).toEqual(['IN', 'TXT'])
    records.push({
      name: name === '@' ? origin : name.endsWith('.') ? name.slice(0, -1) : `${name}.${origin}`,
      ttlSeconds: Number(ttl),
      bytes: Buffer.concat(words.slice(4)).toString('hex'),
      longest: Math.max(...strings.map(({ length }) => length)),
    })
  }
  return records
}

/** Quoted strings and bare words, up to a comment. */
const wordsOf = (line: string): Buffer[] => {
  const words: number[][] = []
  let isQuoted = false
  let isInside = false
  const start = () => {
    words.push([])
    isInside = true
  }
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at)
    const digits = sign === '\\' ? /^\d{3}/.exec(line.slice(at + 1, at + 4))?.[0] : undefined
    if (sign === '"') {
      isQuoted = !isQuoted
      if (isQuoted) start()
      else isInside = false
    } else if (!isQuoted && sign === ';') break
    else if (!isQuoted && sign === ' ') isInside = false
    else {
      if (!isInside) start()
      if (sign === '\\') at += digits === undefined ? 1 : 3
      words.at(-1)?.push(digits === undefined ? line.charCodeAt(at) : Number(digits))
    }
  }
  if (isQuoted) throw new Error(`a string has no end: ${line}`)
  return words.map((codes) => Buffer.from(codes))
}
