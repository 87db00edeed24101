import { expect, test } from 'vitest'
import { holdNews, whenNewsGoOn } from './hold-news.ts'

test('news waits until the last verb has ended, and none is lost', () => {
  const heard: number[] = []
  whenNewsGoOn(() => heard.push(1))
  const [first, second] = [holdNews(), holdNews()]
  whenNewsGoOn(() => heard.push(2))
  first()
  whenNewsGoOn(() => heard.push(3))
  expect(heard).toEqual([1])
  second()
  expect(heard).toEqual([1, 2, 3])
})
