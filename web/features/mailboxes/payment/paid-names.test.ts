import { expect, test } from 'vitest'
import { domainsOf } from './paid-names.tsx'

const of = (...domains: string[]) => domainsOf(domains.map((domain) => ({ domain })))

test('what is paid is told by domain, the most first', () => {
  expect(of('a.example', 'b.example', 'b.example')).toBe('2 of b.example, 1 of a.example')
  expect(of('xn--mnchen-3ya.example')).toBe('1 of münchen.example')
  expect(of('a', 'b', 'c', 'd')).toBe('1 of a, 1 of b, 1 of c, others of 1 more domain')
  expect(of('a', 'b', 'c', 'd', 'e')).toContain('others of 2 more domains')
})
