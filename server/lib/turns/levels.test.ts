import { expect, test } from 'vitest'
import { openLevels } from './levels.ts'

const aClock = () => {
  let ms = 0
  const pass = (more: number) => {
    ms += more
  }
  return { now: () => ms, pass }
}

test('what is added stands, and falls with time, of each key by itself', () => {
  const { now, pass } = aClock()
  const levels = openLevels({ fallsPerSecond: 2, now })
  expect([levels.add('a', 5), levels.add('a', 1), levels.add('b', 1)]).toEqual([5, 6, 1])
  pass(1_000)
  expect([levels.of('a'), levels.of('b'), levels.of('c')]).toEqual([4, 0, 0])
  expect(levels.add('a', 100, 10)).toBe(10)
})

test('a crowd of keys is forgotten: first those at zero, then all', () => {
  const { now, pass } = aClock()
  const levels = openLevels({ fallsPerSecond: 1, mostKeys: 4, now })
  for (const key of ['a', 'b', 'c']) levels.add(key, 1)
  levels.add('heavy', 100)
  pass(1_000)
  levels.add('e', 1)
  expect(levels.of('heavy')).toBe(99)
  for (const key of ['f', 'g']) levels.add(key, 50)
  levels.add('h', 50)
  expect([levels.of('heavy'), levels.of('h')]).toEqual([0, 50])
})
