import { expect, test } from 'vitest'
import { drawingTurns } from './draw-views.ts'

test('a crowd of one network keeps another waiting for one page, and gets the rest undrawn', async () => {
  const inTurn = drawingTurns(0)
  const order: string[] = []
  const draw = (ip: string) =>
    inTurn(ip, async () => {
      order.push(ip)
      return 'drawn'
    })
  const crowd = Array.from({ length: 20 }, () => draw('192.0.2.1'))
  expect(await draw('198.51.100.1')).toBe('drawn')
  expect(order).toEqual(['192.0.2.1', '198.51.100.1'])
  const views = await Promise.all(crowd)
  expect(views.filter((view) => view === null)).toHaveLength(14)
})

test('what fails to be drawn is told, and the next page is drawn', async () => {
  const inTurn = drawingTurns()
  await expect(inTurn('192.0.2.1', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn('192.0.2.1', async () => 'drawn')).toBe('drawn')
})
