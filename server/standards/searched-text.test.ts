import { expect, test } from 'vitest'
import { searchedText } from './searched-text.ts'

const nothing = { subject: '', sender: '', recipients: '', text: '', fileNames: [] }

test('words have their places and the weight of their field; those of files begin with a slash', () => {
  const { vector, head } = searchedText({
    subject: 'Fahrplan Zürich',
    sender: 'José Gómez jose@example.org',
    recipients: 'Ada ada@x.example',
    text: 'Fahrplan: it is 12.30, 12 o’clock',
    fileNames: ['Plan-2026.pdf', 'plan.PDF'],
  })
  expect(vector.split(' ')).toEqual([
    ...['fahrplan:1A,12', 'zurich:2A', 'jose:3B,5B', 'gomez:4B', 'example:6B,11C', 'org:7B'],
    ...['ada:8C,9C', 'x:10C', 'it:13', 'is:14', '12:15,17', '30:16', 'o:18', 'clock:19'],
    ...['/plan', '/2026', '/pdf'],
  ])
  expect(head).toBe('fahrplan zurich jose gomez jose@example.org ada ada@x.example')
})

test('nothing has no words', () => {
  expect(searchedText(nothing)).toEqual({ vector: '', head: '  ' })
})

test('a word of every kind of writing is one word', () => {
  const words = ['straße', 'Ärger', '한국어', 'हिन्दी', 'naïve', '𐐷𐐲', 'x̌y']
  const { vector } = searchedText({ ...nothing, text: words.join(' — ') })
  expect(vector).toBe('strasse:1 arger:2 한국어:3 हिन्दी:4 naive:5 𐐷𐐲:6 xy:7')
})

test('what it costs is bounded, whatever the text is', () => {
  const { vector } = searchedText({ ...nothing, text: `${'a '.repeat(500_000)}needle` })
  expect(vector.length).toBeLessThan(2_000)
  const long = searchedText({
    ...nothing,
    text: '𠀀'.repeat(2_000),
    recipients: 'b '.repeat(90_000),
  })
  expect(long.vector.split(' ').map((word) => Buffer.byteLength(word) < 2_046)).not.toContain(false)
  expect(long.head.length).toBeLessThanOrEqual(2_000)
  expect(long.vector).toBe(long.vector.toWellFormed())
})
