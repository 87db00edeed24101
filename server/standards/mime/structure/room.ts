/**
 * How large a structure may become: a hostile mail has megabytes of parts, recipients and parameters. What has no room is cut or left
 * out, and the rest is still a structure.
 */

/** Of the JSON. */
export const MAX_STRUCTURE_BYTES = 100_000
/** For what is never left out: the first part of each multipart down to the greatest depth, places of fields, sums. */
const NEEDED_BYTES = 36_000
/** Of all envelopes together: who sends to thousands must not hide the parts. */
const PEOPLE_BYTES = 32_000
const MAX_TEXT = 6_000
/** Keys, numbers and brackets of a part; of what else is kept. */
const PART_BYTES = 160
const ENTRY_BYTES = 30
/** A part is left out rather than told without its parameters. */
const WHOLE_PART_BYTES = 1_000

export type Room = {
  /** The text, cut to what there is room for. */
  text(text: string): string
  /** Whether there is room for all of it; takes the room. */
  holds(value: unknown): boolean
  holdsAddress(address: unknown): boolean
  /** Whether another part has room; takes the room. */
  holdsPart(): boolean
}

export const roomForOne = (): Room => {
  let left = MAX_STRUCTURE_BYTES - NEEDED_BYTES - PEOPLE_BYTES
  let leftForPeople = PEOPLE_BYTES
  const holds = (value: unknown): boolean => {
    const bytes = sizeOf(value)
    if (bytes > left) return false
    left -= bytes
    return true
  }
  return {
    holds,
    text: (text) => {
      const short = text.slice(0, MAX_TEXT).toWellFormed()
      return holds(short) ? short : ''
    },
    holdsAddress: (address) => {
      leftForPeople -= sizeOf(address)
      return leftForPeople > 0
    },
    holdsPart: () => {
      if (left < WHOLE_PART_BYTES) return false
      left -= PART_BYTES
      return true
    },
  }
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + ENTRY_BYTES
