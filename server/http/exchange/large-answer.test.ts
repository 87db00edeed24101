import { expect, test } from 'vitest'
import { openTurnsOfLoop } from './large-answer.ts'

test('who asks a hundred things at once is served one in a round, and another next', async () => {
  const turn = openTurnsOfLoop()
  const order: string[] = []
  const ask = (ip: string) => turn(ip).then(() => order.push(ip))
  const crowd = Array.from({ length: 100 }, () => ask('192.0.2.1'))
  const other = ask('198.51.100.1')
  await Promise.resolve()
  expect(order).toEqual(['192.0.2.1'])
  await other
  expect(order.indexOf('198.51.100.1')).toBeLessThanOrEqual(2)
  await Promise.all(crowd)
  expect(order).toHaveLength(101)
})
