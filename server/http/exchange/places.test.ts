import { expect, test } from 'vitest'
import { type Place, Places } from './places.ts'

const shares = { ofAll: 100, ofNetwork: 70, ofParty: 50 }
const pace = { waitMs: 60_000, graceMs: 50, bytesPerSecond: 1_000 }
const lost = () => {}
const at = (party: string, network = 'n') => ({ party, network })

test('a party and a network have shares, and what they leave is for others', () => {
  const places = new Places(shares)
  expect(places.takeNow(at('a'), 50, lost)).not.toBeNull()
  expect(places.takeNow(at('a'), 1, lost)).toBeNull()
  expect(places.takeNow(at('b'), 21, lost)).toBeNull()
  expect(places.takeNow(at('b'), 20, lost)).not.toBeNull()
  expect(places.takeNow(at('c', 'elsewhere'), 30, lost)).not.toBeNull()
  expect(places.takeNow(at('d', 'elsewhere'), 1, lost)).toBeNull()
  places.close()
})

test('turns go round: ten waiting of one party keep another waiting for one of them', async () => {
  const places = new Places({ ofAll: 50, ofNetwork: 50, ofParty: 50 })
  const order: string[] = []
  const first = places.takeNow(at('a'), 50, lost)
  const rest = Array.from({ length: 10 }, () => places.take(at('a'), 50, lost))
  const other = places.take(at('b'), 50, lost)
  const note = (name: string) => (place: Place | null) => {
    order.push(name)
    place?.release()
  }
  const all = [...rest.map((each) => each.then(note('a'))), other.then(note('b'))]
  first?.release()
  await Promise.all(all)
  expect(order.indexOf('b')).toBeLessThan(2)
  expect(places.taken).toBe(0)
  places.close()
})

test('while somebody waits, who moves nothing loses the place; who is fast or waits for us keeps it', async () => {
  const places = new Places(shares, pace)
  const gone: string[] = []
  const ours = places.takeNow(at('ours', 'm'), 30, () => gone.push('ours'))
  ours?.rest()
  const fast = places.takeNow(at('fast'), 40, () => gone.push('fast'))
  fast?.moved(1e12)
  places.takeNow(at('slow'), 30, () => gone.push('slow'))
  const waiting = await places.take(at('late'), 30, lost)
  expect(waiting).not.toBeNull()
  expect(gone).toEqual(['slow'])
  expect(places.taken).toBe(100)
  places.close()
})

test('who waits for too long, or has too many waiting, is told to come again', async () => {
  const places = new Places(shares, { ...pace, waitMs: 20, bytesPerSecond: 0 })
  places.takeNow(at('a'), 50, lost)
  expect(await places.take(at('a'), 10, lost)).toBeNull()
  const many = Array.from({ length: 30 }, () => places.take(at('a'), 10, lost))
  expect(await many.at(-1)).toBeNull()
  expect(await many[0]).toBeNull()
  places.close()
})
