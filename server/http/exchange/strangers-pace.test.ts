import { expect, test } from 'vitest'
import { openPace } from './strangers-pace.ts'

test('what a network asks beyond its pace waits, and another is served at once', async () => {
  const pace = openPace({ perSecond: 20, atOnce: 5 })
  const order: string[] = []
  const ask = (ip: string) => pace(ip).then(() => order.push(ip))
  const crowd = Array.from({ length: 8 }, () => ask('192.0.2.1'))
  await ask('198.51.100.1')
  expect(order).toEqual([...Array(5).fill('192.0.2.1'), '198.51.100.1'])
  await Promise.all(crowd)
  expect(order).toHaveLength(9)
})
