/**
 * All of a mail but the bodies of its parts, with a few bytes in place of each. `mail-parser` finds the same files in it as in the
 * mail, so it tells which part a file is before the bytes of that part are read.
 */
import { decodeTransfer } from '../transfer-encoding.ts'
import type { Part } from './mail-structure.ts'

export type Skeleton = {
  raw: Buffer
  /** The part whose content these bytes stand for. */
  partOf(content: Uint8Array): Part | undefined
}

type Range = { start: number; end: number }

/** `read`: the bytes of the mail in this range. null: what is between the bodies is more than `mostBytes`. */
export const skeletonOf = async (
  root: Part,
  mostBytes: number,
  read: (range: Range) => Promise<Buffer>,
): Promise<Skeleton | null> => {
  const bodies = bodiesIn(root)
  const gaps = bodies.map(({ body }, n) => ({ start: bodies[n - 1]?.end ?? 0, end: body }))
  gaps.push({ start: bodies.at(-1)?.end ?? 0, end: root.end })
  if (gaps.reduce((sum, { start, end }) => sum + end - start, 0) > mostBytes) return null
  const pieces: Buffer[] = []
  /** Offsets of the mail, in order, and where they are in the skeleton. */
  const moved: { from: number; to: number }[] = []
  let length = 0
  for (const [n, gap] of gaps.entries()) {
    moved.push({ from: gap.start, to: length })
    const place = n < bodies.length ? placeOf(n) : Buffer.alloc(0)
    pieces.push(await read(gap), place)
    length += gap.end - gap.start + place.length
  }
  const raw = Buffer.concat(pieces)
  return { raw, partOf: partFinder(root, raw, moved) }
}

/** Parts without parts, in the order of the mail; those without a body stay as they are. */
const bodiesIn = (part: Part): Part[] => {
  if (part.message !== undefined) return bodiesIn(part.message.part)
  if (part.parts !== undefined) return part.parts.flatMap(bodiesIn)
  return part.body < part.end ? [part] : []
}

/** Eight letters of base64, which every encoding takes, and which stay different in each. */
const placeOf = (n: number): Buffer => {
  const number = Buffer.alloc(6, 0xff)
  number.writeUInt32BE(n, 2)
  return Buffer.from(number.toString('base64'))
}

const keyOf = (content: Uint8Array): string => Buffer.from(content).toString('latin1')

const partFinder = (root: Part, raw: Buffer, moved: readonly { from: number; to: number }[]) => {
  const parts = new Map<string, Part>()
  const movedTo = (offset: number): number => {
    const before = moved.findLast(({ from }) => from <= offset)
    return before === undefined ? offset : before.to + offset - before.from
  }
  const note = (part: Part): void => {
    for (const each of part.parts ?? []) note(each)
    if (part.message !== undefined) note(part.message.part)
    if (part.parts !== undefined || part.body === part.end) return
    const body = raw.subarray(movedTo(part.body), movedTo(part.end))
    parts.set(keyOf(decodeTransfer(body, part.encoding ?? '')), part)
  }
  note(root)
  return (content: Uint8Array): Part | undefined => parts.get(keyOf(content))
}
