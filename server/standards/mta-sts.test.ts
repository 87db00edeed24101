import { describe, expect, test } from 'vitest'
import {
  isHostInPolicy,
  modeIn,
  parseStsPolicy,
  stsIdIn,
  stsPolicyText,
  stsRecord,
} from './mta-sts.ts'

describe('the record', () => {
  test.each([
    [['v=STSv1; id=20160831085700Z;'], '20160831085700Z'],
    [['v=STSv1;id=a'], 'a'],
    [['v=STSv1 ; foo=bar ; id = 1 '], '1'],
    [['other', 'v=STSv1; id=7;'], '7'],
    [['v=STSv1; id=1;', 'v=STSv1; id=2;'], null],
    [['v=STSv1; id=;'], null],
    [[`v=STSv1; id=${'1'.repeat(33)};`], null],
    [['v=STSv1; id=with-dash;'], null],
    [['v=STSv10; id=1;'], null],
    [['id=1; v=STSv1;'], null],
    [[], null],
  ])('%j: %j', (records, id) => {
    expect(stsIdIn(records)).toBe(id)
  })
})

describe('the policy', () => {
  const lines = (...all: string[]) => all.join('\r\n')
  test('is read with either line end, its fields in any order', () => {
    expect(
      parseStsPolicy(
        'max_age: 604800\nmx: mail.example.com\nmode: enforce\nversion: STSv1\nmx: *.Example.NET.\nnew: 1\n',
      ),
    ).toEqual({
      mode: 'enforce',
      mx: ['mail.example.com', '*.example.net'],
      maxAgeSeconds: 604_800,
    })
  })

  test('is read in one pass: what stands on a line may be long, and may be no end of it', () => {
    const gap = ' '.repeat(60_000)
    const text = `version: STSv1\nmode: enforce\nmx:${gap}\rx\nmx: a.b${gap}\nmax_age: 1\n`
    expect(parseStsPolicy(text)?.mx).toEqual(['x', 'a.b'])
  })

  test('counts the first of what stands twice, and no more than a year', () => {
    const text = lines(
      'version:STSv1',
      'mode: testing',
      'mode: enforce',
      'mx: a.b',
      'max_age: 9999999999',
    )
    expect(parseStsPolicy(text)).toMatchObject({ mode: 'testing', maxAgeSeconds: 31_557_600 })
  })

  test.each([
    ['no version', lines('mode: enforce', 'mx: a.b', 'max_age: 1')],
    ['another version', lines('version: STSv2', 'mode: enforce', 'mx: a.b', 'max_age: 1')],
    ['no mode', lines('version: STSv1', 'mx: a.b', 'max_age: 1')],
    ['an unknown mode', lines('version: STSv1', 'mode: strict', 'mx: a.b', 'max_age: 1')],
    ['no hosts', lines('version: STSv1', 'mode: enforce', 'max_age: 1')],
    ['no age', lines('version: STSv1', 'mode: enforce', 'mx: a.b')],
    ['a negative age', lines('version: STSv1', 'mode: enforce', 'mx: a.b', 'max_age: -1')],
    ['a web page', '<html><body>Not found</body></html>'],
    ['nothing', ''],
  ])('%s: none', (_what, text) => {
    expect(parseStsPolicy(text)).toBeNull()
  })

  test('may have no hosts when it says that there is none', () => {
    expect(parseStsPolicy(lines('version: STSv1', 'mode: none', 'max_age: 60'))?.mode).toBe('none')
  })
})

test.each([
  ['mail.example.com', 'mail.example.com', true],
  ['mail.example.com', 'MAIL.example.com.', true],
  ['*.example.com', 'mail.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'a.mail.example.com', false],
  ['*.example.com', 'evilexample.com', false],
  ['mail.example.com', 'mail2.example.com', false],
  ['*.com', 'com', false],
  ['*', 'mail.example.com', false],
])('%s takes %s: %s', (pattern, host, isIn) => {
  expect(isHostInPolicy({ mx: [pattern] }, host)).toBe(isIn)
})

test('the policy that we serve is one, and its id changes with the mode and the host', () => {
  for (const mode of ['testing', 'enforce'] as const) {
    const policy = parseStsPolicy(stsPolicyText(mode, 'mail.example.com'))
    expect(policy).toMatchObject({ mode, mx: ['mail.example.com'] })
    const record = stsRecord(mode, 'mail.example.com')
    expect(stsIdIn([record])).not.toBeNull()
    expect(modeIn([record], 'mail.example.com')).toBe(mode)
    expect(modeIn([record], 'other.example.com')).toBe('testing')
  }
})
