import { expect, test } from 'vitest'
import { parseSmtpPath } from './smtp-path.ts'

const long = (bytes: number) => `a@${'b'.repeat(bytes - 6)}.com`

test.each([
  ['<>', ''],
  ['<ada@example.com>', 'ada@example.com'],
  ['<"Ada L"@example.com>', '"Ada L"@example.com'],
  ['<"a@b"@example.com>', '"a@b"@example.com'],
  ['<"a\\"b>"@example.com>', '"a\\"b>"@example.com'],
  ['<@relay.example,@b.example:ada@example.com>', 'ada@example.com'],
  ['<prvs=1234=ada/x#y@example.com>', 'prvs=1234=ada/x#y@example.com'],
  ['<ада@пример.рф>', 'ада@пример.рф'],
  ['<ada@[192.0.2.1]>', 'ada@[192.0.2.1]'],
  ['<ada@[IPv6:2001:db8::1]>', 'ada@[IPv6:2001:db8::1]'],
  ['<PostMaster>', 'PostMaster'],
  [`<${long(254)}>`, long(254)],
])('%s is a path', (text, address) => {
  expect(parseSmtpPath(`${text} SIZE=1 X="<a@b.c>"`)).toEqual({
    ...{ address, rest: ' SIZE=1 X="<a@b.c>"' },
  })
})

test.each([
  ...['', 'ada@example.com', '<ada@example.com', '<ada>', '<@example.com>', '<ada@>', '<ada@.com>'],
  ...['<"ada@example.com>', '<ada"@example.com>', '<"a"b@example.com>', '<"a\\"@example.com>'],
  ...['<a b@example.com>', '<.ada@example.com>', '<a..b@example.com>', '<ada.@example.com>'],
  ...['<a@b@example.com>', '<ada@-example.com>', '<ada@exa_mple.com>', '<ada@[300.1.1.1]>'],
  ...['<"a\r\nb"@example.com>', '<"a\0b"@example.com>', '<a\u200bb@example.com>'],
  ...['<<ada@example.com>>', `<${long(255)}>`],
])('%j is none', (text) => {
  expect(parseSmtpPath(text)).toBe(null)
})
