import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '#test-world/any-character.ts'
import { computingMsOf } from '#test-world/processor-time.ts'
import { parseAddress, parseMailbox, parseRecipient } from './address.ts'

test.each([
  ['Ada.Lovelace+tag@Example.COM', 'ada.lovelace+tag@example.com'],
  ["o'brien@example.com", "o'brien@example.com"],
  ['a%b.example@example.com', 'a%b.example@example.com'],
  ['host!user@example.com', 'host!user@example.com'],
  ['info@bücher.example', 'info@xn--bcher-kva.example'],
  ['info@faß.example', 'info@xn--fa-hia.example'],
  ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('%s is an address', (text, address) => {
  expect(parseAddress(text)).toMatchObject({ address })
})

test('the local part stays as written beside the form that compares', () => {
  expect(parseAddress('Ada@Example.com')).toEqual({
    local: 'Ada',
    domain: 'example.com',
    address: 'ada@example.com',
  })
})

test.each([
  ...[
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'a@b@example.com',
    'ada@example.com.',
  ],
  ...['.ada@example.com', 'ada.@example.com', 'a..b@example.com', '"ada"@example.com'],
  ...[
    '"a@evil.example x"@example.com',
    'ada(comment)@example.com',
    'ada@evil.example(c)example.com',
  ],
  ...[
    '@a.example,@b.example:ada@example.com',
    'ada@[127.0.0.1]',
    'ada@[IPv6:::1]',
    'ada@127.0.0.1',
  ],
  ...['ada@0x7f.1', 'ada@example.123', 'ada@ex ample.com', 'ada @example.com', ' ada@example.com'],
  ...['ada@example.com\n', 'ada\r\n@example.com', 'ada\0@example.com', 'ada@exam\0ple.com'],
  ...[
    'ada@ex%61mple.com',
    'ada@exam_ple.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa..mple.com',
  ],
  ...['ada@example.com/path', 'ada@example.com:25', 'ada@example.com?x', 'ada@exam\u00adple.com'],
  ...[
    '<ada@example.com>',
    'Ada <ada@example.com>',
    '=?utf-8?q?ada?=@example.com>',
    'ädä@example.com',
  ],
  ...[`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.com`, `a@${'abc.'.repeat(70)}com`],
])('%j is no address', (text) => {
  expect(parseAddress(text)).toBeNull()
})

test.each([
  ['ada@example.com', '', 'ada@example.com'],
  ['<ada@example.com>', '', 'ada@example.com'],
  ['Ada Lovelace <Ada@Example.com>', 'Ada Lovelace', 'ada@example.com'],
  ['  Zoë  <zoe@example.com>  ', 'Zoë', 'zoe@example.com'],
  [
    '"Lovelace, Ada \\"Countess\\"" <ada@example.com>',
    'Lovelace, Ada "Countess"',
    'ada@example.com',
  ],
  ['"<x@evil.example>" <ada@example.com>', '<x@evil.example>', 'ada@example.com'],
  ['Ann <"ann b"@example.com>', 'Ann', '"ann b"@example.com'],
  ['"Ann \\"B\\" @ home"@example.com', '', '"Ann \\"B\\" @ home"@example.com'],
  ['"ada.l"@Example.com', '', 'ada.l@example.com'],
  ['用户@例え.テスト', '', '用户@xn--r8jz45g.xn--zckzah'],
  ['Жанна <Жанна.б@example.com>', 'Жанна', 'Жанна.б@example.com'],
  ["Dr. O'Brien <o@example.com>", "Dr. O'Brien", 'o@example.com'],
])('%s is a mailbox', (text, name, address) => {
  expect(parseMailbox(text)).toEqual({ name, address })
})

test.each([
  ...[
    '',
    '<>',
    'Ada',
    'Ada <>',
    'Ada <ada@example.com',
    'Ada ada@example.com>',
    'Ada <ada@example.com> x',
  ],
  ...[
    'a@evil.example <ada@example.com>',
    '<a@evil.example> <ada@example.com>',
    'Doe, John <j@example.com>',
  ],
  ...[
    '"Ada <ada@example.com>',
    '"Ada" x <ada@example.com>',
    'Ada (x) <ada@example.com>',
    '"Ada\\" <a@example.com>',
  ],
  ...[
    '=?utf-8?q?Ada?= <ada@example.com>',
    '"=?utf-8?q?Ada?=" <ada@example.com>',
    'Team: a@example.com;',
  ],
  ...[
    'Ada\r\nBcc: x@evil.example <ada@example.com>',
    'Ada\0 <ada@example.com>',
    'Ada\u2028 <ada@example.com>',
  ],
  ...['Ada < ada@example.com >', 'Ada <"a<b"@example.com>', 'Ada <@a.example:ada@example.com>'],
  ...[
    '"a"b"@example.com',
    '"a\\"@example.com',
    '""@example.com',
    'a b@example.com',
    'é\u200b@example.com',
  ],
  `${'x'.repeat(1000)} <ada@example.com>`,
])('%j is no mailbox', (text) => {
  expect(parseMailbox(text)).toBeNull()
})

const anything = fc.oneof(
  fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...'aB.+-_é"'), minLength: 1, maxLength: 70 }),
      fc.constantFrom('@example.com', '@Bücher.example', '@a', ' @b.example', '@c.example>'),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...'ab.@<>"\\(), \t\r\n\0=?:;[]%xn--é'), maxLength: 60 }),
)

test('whatever is taken is plain, short and stays itself', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const parsed = parseAddress(text)
      if (!parsed) return
      expect(parsed.address).toMatch(/^[!-?A-~]{1,64}@[a-z0-9.-]+$/)
      expect(parsed.address.length).toBeLessThanOrEqual(254)
      expect(parseAddress(parsed.address)?.address).toBe(parsed.address)
      expect(parseMailbox(`Ada <${text}>`)).toEqual({ name: 'Ada', address: parsed.address })
    }),
    { numRuns: 3000 },
  )
})

test('a mailbox never yields a control character, and its address is an address', () => {
  fc.assert(
    fc.property(anything, fc.boolean(), (text, isNamed) => {
      const parsed = parseMailbox(isNamed ? `${text} <ada@example.com>` : text)
      if (!parsed) return
      expect(parsed.name).not.toMatch(/\p{Cc}/u)
      expect(parseRecipient(parsed.address)?.address).toBe(parsed.address)
      expect(parsed.address).not.toMatch(/[<>\p{C}]/u)
      if (isNamed) expect(parsed.address).toBe('ada@example.com')
    }),
    { numRuns: 3000 },
  )
})

test('hostile input takes no longer than its length', async () => {
  for (const text of [
    '"'.repeat(1e6),
    `${'<'.repeat(1e6)}`,
    `"${'\\"'.repeat(5e5)}`,
    `${'a.'.repeat(5e5)}@x.y`,
  ]) {
    const ms = await computingMsOf(() => {
      expect(parseAddress(text)).toBeNull()
      expect(parseMailbox(text)).toBeNull()
    })
    expect(ms).toBeLessThan(1_000)
  }
})
