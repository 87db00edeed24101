import { expect, test } from 'vitest'
import { openFileInJson } from './file-in-json.ts'

const MOST = 1_000_000

/** The body in pieces of so many bytes: what stays of it as JSON, and the file. */
const taken = (body: string, pieceBytes: number) => {
  const reading = openFileInJson('content', MOST)
  const bytes = Buffer.from(body)
  const stays: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes)
    stays.push(...reading.add(bytes.subarray(at, at + pieceBytes)))
  return { json: String(Buffer.concat(stays)), file: reading.file() }
}

test.each([
  ['as programs write it', '{"filename":"a","content":"QUJDRA==","contentType":"a/b"}', 'ABCD'],
  ['with spaces around', '{ "content" : "QUJD" }', 'ABC'],
  ['without padding', '{"content":"QUI"}', 'AB'],
  ['with broken lines', '{"content":"QU\\r\\nJD\\nRA=\\u000d\\u000a="}', 'ABCD'],
  ['with escapes that some programs write', '{"content":"\\u002b\\/\\u002B\\/"}', '\xfb\xff\xbf'],
  ['empty', '{"content":""}', ''],
  ['twice', '{"content":"QUJD","filename":"a","content":"REU="}', 'DE'],
  [
    'beside others of its name',
    '{"a":{"content":"REU="},"b":["content","REU="],"content":"QUJD"}',
    'ABC',
  ],
])('a file is decoded, and its text stays nowhere: %s', (_name, body, wanted) => {
  const others = { ...JSON.parse(body), content: '' }
  for (const pieceBytes of [1, 2, 3, 7, 1_000]) {
    const { json, file } = taken(body, pieceBytes)
    expect(JSON.parse(json)).toEqual(others)
    expect(file?.toString('latin1')).toBe(wanted)
  }
})

test.each([
  ['letters of none', 'QUJD-_'],
  ['padding inside', 'QQ==QUJD'],
  ['too much padding', 'QQ==='],
  ['an escape of none', 'QUJD\\u0000QUJD'],
  ['an escaped quote', 'QUJD\\"QUJD'],
])('what is no base64 stays for the schema: %s', (_name, content) => {
  for (const pieceBytes of [1, 5, 1_000]) {
    const parsed = JSON.parse(taken(`{"content":"${content}","filename":"a"}`, pieceBytes).json)
    expect(parsed.filename).toBe('a')
    expect(parsed.content).toMatch(/^!/)
  }
})

test.each([
  '{"content":"QUJ',
  '{"content":"QUJD\\u00"}',
  '{"content":"QUJD\nQUJD"}',
  '{"content":"QUJD\\x"}',
])('what is no JSON is none afterwards: %j', (body) => {
  for (const pieceBytes of [1, 5, 1_000])
    expect(() => JSON.parse(taken(body, pieceBytes).json)).toThrow()
})

test('a body without the field stays as it is', () => {
  const body =
    '{"filename":"content","other":"\\\\","contents":"QUJD","the-whole-content":"QUJD","c\\u006fntent":"QUJD"}'
  for (const pieceBytes of [1, 5, 10, 11, 12, 13, 1_000])
    expect(taken(body, pieceBytes)).toEqual({ json: body, file: null })
})
