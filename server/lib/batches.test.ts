import { expect, it } from 'vitest'
import { batchesOf } from './batches.ts'

it('gives all items, and asks for those of a batch when it is their turn', () => {
  const asked: number[] = []
  const items = [1, 2, 3, 4, 5].values().filter((item) => asked.push(item) > 0)
  const batches = batchesOf(items, 2)
  expect(batches.next().value).toEqual([1, 2])
  expect(asked).toEqual([1, 2])
  expect([...batches]).toEqual([[3, 4], [5]])
  expect([...batchesOf([], 2)]).toEqual([])
})
