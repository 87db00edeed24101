import { expect, test } from 'vitest'
import { openFairTurns, openLevels, openTurns, openTurnsOfEach, TooManyWaiting } from './turns.ts'

test('so many at once, the others in their order, also when one fails', async () => {
  const turns = openTurns(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (n: number) => () =>
    new Promise<number>((resolve, reject) => {
      begun.push(n)
      ends.push(() => (n === 1 ? reject(new Error('one')) : resolve(n)))
    })
  const all = [0, 1, 2, 3].map((n) => turns.take(work(n)))
  expect(begun).toEqual([0, 1])
  expect(turns.waiting()).toBe(2)
  ends[1]?.()
  await expect(all[1]).rejects.toThrow('one')
  await expect.poll(() => begun).toEqual([0, 1, 2])
  ends[0]?.()
  await expect.poll(() => begun).toEqual([0, 1, 2, 3])
  ends[2]?.()
  ends[3]?.()
  expect(await Promise.all([all[0], all[2], all[3]])).toEqual([0, 2, 3])
  expect(turns.waiting()).toBe(0)
})

test('each key has its own', async () => {
  const turns = openTurnsOfEach(1)
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const work = (name: string) => async () => {
    begun.push(name)
    await gate.promise
  }
  const all = ['a', 'a', 'b'].map((key) => turns.take(key, work(key)))
  expect(begun).toEqual(['a', 'b'])
  gate.resolve()
  await Promise.all(all)
  expect(begun).toEqual(['a', 'b', 'a'])
})

/** Work that ends when the test says so, and a record of the order of starts. */
const someWork = () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, work, end: (name: string) => ends.get(name)?.() }
}

test('parties take turns: one piece of work does not wait for the thousand of another party', async () => {
  const { begun, work, end } = someWork()
  const turns = openFairTurns({ atOnce: 1 })
  const many = ['a1', 'a2', 'a3'].map((name) => turns.take('a', work(name)))
  const one = turns.take('b', work('b1'))
  const all = [...many, one]
  for (const name of ['a1', 'a2', 'b1', 'a3']) {
    await expect.poll(() => begun.at(-1)).toBe(name)
    end(name)
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1'])
})

test('a party has its share of places, and of waiting; places that are free go to others', async () => {
  const { begun, work, end } = someWork()
  const turns = openFairTurns({ atOnce: 3, atOnceOfEach: 2, waitingOfEach: 1 })
  const kept = ['a1', 'a2', 'a3'].map((name) => turns.take('a', work(name)))
  await expect(turns.take('a', work('a4'))).rejects.toThrow(TooManyWaiting)
  const other = turns.take('b', work('b1'))
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1'])
  end('b1')
  expect(await other).toBe('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  for (const name of ['a1', 'a2']) end(name)
  await expect.poll(() => begun).toContain('a3')
  end('a3')
  expect(await Promise.all(kept)).toEqual(['a1', 'a2', 'a3'])
})

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
