import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { addressesInHtml } from './html-addresses.ts'

test.each([
  ['<img src="https://a.example/b.png?x=1&amp;y=2">', 'https://a.example/b.png?x=1&y=2'],
  ["<img src='http://a.example/a b.png'>", 'http://a.example/a b.png'],
  ['<img src=http://a.example/b.png width=1>', 'http://a.example/b.png'],
  ['<IMG SRC = " HTTPS://A.example/b.png ">', 'HTTPS://A.example/b.png'],
  ['<img src="//a.example/b.png">', '//a.example/b.png'],
  ['<img src="https://a.example/a\r\n\tb.png">', 'https://a.example/ab.png'],
  ['<img src="https://a.example/&#x26;&#38;&quot;">', 'https://a.example/&&"'],
])('finds in %s', (html, address) => {
  expect([...addressesInHtml(html)]).toEqual([address])
})

test('finds whole addresses of attributes only', () => {
  expect([...addressesInHtml('<p>https://a.example/ and //b</p><img src="cid:x">')]).toEqual([])
  expect(addressesInHtml('<img src="https://a.example/bc">').has('https://a.example/b')).toBe(false)
})

test.each(['="http://', "='//", '= ', '=http://=//', '="//a" '])(
  'is not kept busy by 5 MB of %s',
  async (piece) => {
    const html = piece.repeat(5_000_000 / piece.length)
    expect(await computingMsOf(() => addressesInHtml(html))).toBeLessThan(10_000)
  },
)
