import { expect, test } from 'vitest'
import { headerLinesOf } from '#server/standards/message-lines.ts'
import { sortHeader } from './worth-checking.ts'

const signature = (domain: string, fields = 'from:subject', more = '') =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s; h=${fields};${more} bh=x; b=y`
const sorted = (...fields: string[]) => {
  const { unread, idle } = sortHeader(
    headerLinesOf(Buffer.from([...fields, '', 'Hello'].join('\r\n'))),
    1_000,
  )
  const linesOf = (list: typeof unread) => list.map(({ line }) => line)
  return { unread: linesOf(unread), idle: linesOf(idle) }
}
const from = 'From: Ada <ada@mail.engines.example>'

test('five signatures are looked at, and those of the author’s own domain first', () => {
  const others = Array.from({ length: 6 }, (_, n) => signature(`list${n}.example`))
  const own = [signature('engines.example'), signature('a.mail.engines.example')]
  const { unread } = sorted(...others, ...own, from, 'Subject: x')
  expect(unread).toEqual(others.slice(3))
})

test('one that names hundreds of fields of a header of hundreds is not', () => {
  const many = Array.from({ length: 500 }, (_, n) => `X-${n}: a`)
  const greedy = signature('engines.example', 'x-1:'.repeat(500))
  const usual = signature('engines.example')
  expect(sorted(greedy, usual, from, ...many).unread).toEqual([greedy])
})

test('nor are a second length of a large body, a long chain, one of its signatures that names too much', () => {
  const set = (n: number, fields = 'from') => [
    `ARC-Seal: i=${n}; b=x`,
    `ARC-Message-Signature: i=${n}; h=${fields}; b=x`,
    `ARC-Authentication-Results: i=${n}; x`,
  ]
  const sets = Array.from({ length: 11 }, (_, n) => set(n + 1)).flat()
  expect(sorted(...sets.slice(0, 30), from).unread).toEqual([])
  expect(sorted(...sets, from).unread).toEqual(sets)
  const wide = set(1, 'from:'.repeat(60_000))
  expect(sorted(...wide, from).unread).toEqual(wide)
})

test('fields that nobody signs are left out, others stay where they are', () => {
  const { idle, unread } = sorted(
    'Received: x',
    signature('b.example'),
    from,
    'Subject: x',
    'X-A: b',
  )
  expect(idle).toEqual(['Received: x', 'X-A: b'])
  expect(unread).toEqual([])
})
