/** Writes DER (X.690) where node:crypto has no word for a structure. Each value is shorter than 64 kB. */

export const tags = {
  ...{
    integer: 0x02,
    bitString: 0x03,
    octetString: 0x04,
    utcTime: 0x17,
    sequence: 0x30,
    set: 0x31,
  },
  /** In a context of its own: explicit, and constructed. */
  first: 0xa0,
} as const

const MOST_BYTES = 0xff_ff

/** @throws RangeError for more than 64 kB */
export const value = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length > MOST_BYTES) throw new RangeError(`${length} bytes are too many for DER here`)
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...head), content])
}

export const sequence = (...parts: Uint8Array[]): Buffer => value(tags.sequence, ...parts)

/** Its members are in the order of their bytes. */
export const setOf = (...members: Buffer[]): Buffer =>
  value(tags.set, ...members.toSorted(Buffer.compare))

/** `dotted`: such as 1.2.840.113549. */
export const objectId = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return value(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

const base128 = (number: number): number[] => {
  const digits = [number & 0x7f]
  for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}
