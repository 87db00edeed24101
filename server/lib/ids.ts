import { randomUUID } from 'node:crypto'

/** A new `_id`. Version 7 keeps inserts at the end of the index. Its random bits are enough for an id, but not for a token. */
export const newId = (at: number = Date.now()): string => {
  const random = randomUUID()
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/** How many were made of each of the last times: one transaction may name a time again after another began. */
const madeAt = new Map<number, number>()
const MOST_TIMES = 1_000

/**
 * Ids of one process and one time in the order in which they were made: behind the time stands a counter of 26 bits (RFC 9562, section 6.2).
 * 48 random bits are left, enough beside the time.
 */
export const newOrderedId = (at: number): string => {
  const count = madeAt.get(at) ?? 0
  madeAt.set(at, count + 1)
  for (const time of madeAt.keys()) {
    if (madeAt.size <= MOST_TIMES) break
    madeAt.delete(time)
  }
  const high = ((count >>> 14) & 0xfff).toString(16).padStart(3, '0')
  const low = (0x8000 | (count & 0x3fff)).toString(16)
  return `${newId(at).slice(0, 15)}${high}-${low}${randomUUID().slice(23)}`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isId = (value: string): boolean => uuid.test(value)
