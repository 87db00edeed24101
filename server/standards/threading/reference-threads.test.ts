import { expect, test } from 'vitest'
import { referenceThreads } from './reference-threads.ts'
import { subjectThreads } from './subject-threads.ts'
import type { MessageToThread, Thread } from './thread.ts'

/** `[uid, id, ancestors, subject]`; sent in the order of uids. */
type Short = [uid: number, id: string, ancestors?: string, subject?: string]

const messages = (...short: Short[]): MessageToThread[] =>
  short.map(([uid, messageId, ancestors = '', subject = `Subject ${uid}`]) => ({
    ...{ uid, messageId, subject, sentAt: uid },
    ancestors: ancestors === '' ? [] : ancestors.split(' '),
  }))

/** As RFC 5256 writes it. */
const written = (threads: readonly Thread[]): string =>
  threads.map((each) => `(${one(each)})`).join('')
const one = ({ uid, answers }: Thread): string => {
  const own = uid === 0 ? '' : String(uid)
  const [only] = answers
  if (answers.length === 1 && only) return `${own} ${one(only)}`
  return `${own}${answers.length > 0 && own ? ' ' : ''}${answers.map((each) => `(${one(each)})`).join('')}`
}
const threads = (...short: Short[]) => written(referenceThreads(messages(...short)))

test.each<[string, Short[], string]>([
  [
    'no references',
    [
      [1, 'a'],
      [2, 'b'],
    ],
    '(1)(2)',
  ],
  [
    'a chain',
    [
      [1, 'a'],
      [2, 'b', 'a'],
      [3, 'c', 'a b'],
    ],
    '(1 2 3)',
  ],
  [
    'two answers',
    [
      [1, 'a'],
      [2, 'b', 'a'],
      [3, 'c', 'a'],
    ],
    '(1 (2)(3))',
  ],
  [
    'an answer that is older',
    [
      [1, 'b', 'a'],
      [2, 'a'],
    ],
    '(2 1)',
  ],
  [
    'a missing message in between',
    [
      [1, 'a'],
      [3, 'c', 'a b'],
    ],
    '(1 3)',
  ],
  [
    'a missing first message',
    [
      [2, 'b', 'a'],
      [3, 'c', 'a'],
    ],
    '((2)(3))',
  ],
  ['one answer to a missing message', [[2, 'b', 'a']], '(2)'],
  [
    'a missing chain of several',
    [
      [4, 'd', 'a b c'],
      [5, 'e', 'a b'],
    ],
    '((4)(5))',
  ],
  [
    'a circle',
    [
      [1, 'a', 'b'],
      [2, 'b', 'a'],
    ],
    '(2 1)',
  ],
  ['an answer to itself', [[1, 'a', 'a']], '(1)'],
  [
    'one id twice',
    [
      [1, 'a'],
      [2, 'a'],
      [3, 'c', 'a'],
    ],
    '(1 3)(2)',
  ],
  [
    'no id',
    [
      [1, ''],
      [2, '', 'x'],
    ],
    '(1)(2)',
  ],
  [
    'its own word counts',
    [
      [1, 'a'],
      [2, 'b', 'x'],
      [3, 'c', 'a b'],
    ],
    '(1)(2 3)',
  ],
  [
    'its own word counts later, too',
    [
      [1, 'c', 'a b'],
      [2, 'b', 'x'],
      [3, 'a'],
    ],
    '(2 1)(3)',
  ],
  [
    'an answer by subject',
    [
      [1, 'a', '', 'Plan'],
      [2, 'b', '', 'Re: plan'],
    ],
    '(1 2)',
  ],
  [
    'the answer is older',
    [
      [1, 'a', '', 'Re: Plan'],
      [2, 'b', '', 'Plan'],
    ],
    '(2 1)',
  ],
  [
    'one subject twice',
    [
      [1, 'a', '', 'Plan'],
      [2, 'b', '', 'Plan'],
    ],
    '((1)(2))',
  ],
  [
    'three of one subject',
    [
      [1, 'a', '', 'Plan'],
      [2, 'b', '', 'Plan'],
      [3, 'c', '', 'Plan'],
    ],
    '((1)(2)(3))',
  ],
  [
    'empty subjects',
    [
      [1, 'a', '', ''],
      [2, 'b', '', 'Re:'],
    ],
    '(1)(2)',
  ],
])('%s', (_name, short, expected) => {
  expect(threads(...short)).toBe(expected)
})

test('each message stands in one thread once, whatever the references say', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 200; round++) {
    const count = 1 + random(30)
    const short = Array.from({ length: count }, (_, n): Short => {
      const ids = Array.from({ length: random(5) }, () => `id${random(20)}`).join(' ')
      return [
        n + 1,
        random(9) === 0 ? '' : `id${random(20)}`,
        ids,
        `${'Re: '.repeat(random(2))}S${random(6)}`,
      ]
    })
    const uids = (threads(...short).match(/\d+/g) ?? []).map(Number)
    expect(uids.toSorted((a, b) => a - b)).toEqual(short.map(([uid]) => uid))
  }
})

test('a chain of ten thousand takes no longer than it should, and is no deeper than can be printed', () => {
  const chain = Array.from(
    { length: 10_000 },
    (_, n): Short => [n + 1, `id${n}`, n === 0 ? '' : `id${n - 1}`],
  )
  const depthOf = ({ answers }: Thread): number => 1 + Math.max(0, ...answers.map(depthOf))
  const found = referenceThreads(messages(...chain))
  expect(Math.max(...found.map(depthOf))).toBeLessThan(200)
})

test('by subject the oldest is first, and all others answer it', () => {
  expect(
    written(
      subjectThreads(
        messages(
          [1, 'a', '', 'Re: Plan'],
          [2, 'b', '', 'Other'],
          [3, 'c', '', 'PLAN'],
          [4, 'd', '', '[x] Plan'],
        ),
      ),
    ),
  ).toBe('(1 (3)(4))(2)')
})
