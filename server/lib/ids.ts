import { randomUUID } from 'node:crypto'

/** A new `_id`. Version 7 keeps inserts at the end of the index. Its random bits are enough for an id, but not for a token. */
export const newId = (at: number = Date.now()): string => {
  const random = randomUUID()
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isId = (value: string): boolean => uuid.test(value)
