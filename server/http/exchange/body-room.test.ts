import type { FastifyRequest } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { Room } from './body-room.ts'

const shares = { ofAll: 1e9, ofNetwork: 1e9, ofParty: 1e9 }
const inflow = { freeBytes: 1_000_000, bytesPerSecond: 1_000_000, longestWaitMs: 1_000 }
const room = new Room({ large: shares, small: shares, inflow })
afterEach(() => room.close())

const from = (workspaceId: string) =>
  ({ caller: { workspaceId }, clientAddress: '192.0.2.1', ip: '192.0.2.1' }) as FastifyRequest

test('large bodies of a workspace come at a steady pace after the first; others are not kept', async () => {
  const order: string[] = []
  const take = async (name: string, workspace: string, bytes: number) => {
    const place = await room.takeForBody(from(workspace), bytes, () => {})
    order.push(place === null ? `${name} refused` : name)
  }
  await take('first', 'a', 1_000_000)
  await Promise.all([
    take('second', 'a', 300_000),
    take('too much', 'a', 5_000_000),
    take('small', 'a', 1_000),
    take('other', 'b', 300_000),
  ])
  expect(order.slice(0, 2)).toEqual(['first', 'too much refused'])
  expect(order.slice(2, 4).toSorted()).toEqual(['other', 'small'])
  expect(order.at(-1)).toBe('second')
})

test('what a client does not send counts against nobody', async () => {
  const place = await room.takeForBody(from('c'), 1_000_000, () => {})
  room.cameLess(from('c'), 999_000)
  place?.release()
  const next = room.takeForBody(from('c'), 900_000, () => {}).then(() => 'next')
  expect(await Promise.race([next, turns(3)])).toBe('next')
})

/** Rounds of the event loop, in which a timer of a tenth of a second does not end. */
const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise((done) => setImmediate(done))
  return 'waits'
}
