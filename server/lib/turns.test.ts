import { expect, test } from 'vitest'
import { openTurns, openTurnsOfEach } from './turns.ts'

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
