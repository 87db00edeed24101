/**
 * Reads the structure of a mail in one pass over its bytes, which takes linear time whatever they are. It finds the same parts as
 * `mail-parser`, which cannot be asked: that reads the first megabyte, decodes what it reads and counts nothing (decision 090).
 */
import { pieceSumsOf } from '#server/lib/files/piece-sums.ts'
import { MAX_MIME_DEPTH } from '../../message-text.ts'
import { delimiterFinder, endBefore } from './delimiters.ts'
import { asFile, describePart, isEncoded, isMessage, type PartHeader } from './describe-part.ts'
import { envelopeOf } from './envelope.ts'
import { type HeaderBlock, type HeaderField, MAX_FIELDS, readHeaderBlock } from './header-block.ts'
import { type MailStructure, type Part, usualFields } from './mail-structure.ts'
import { type Room, roomForOne } from './room.ts'

/** `raw`: all bytes of the mail, as they are stored. */
export const readStructure = (raw: Uint8Array): MailStructure => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const room = roomForOne()
  const reader = new StructureReader(bytes, room)
  const header = readHeaderBlock(bytes, 0, () => false)
  const envelope = envelopeOf(bytes, header.fields, room)
  const part = reader.part(header, { start: 0, depth: 0, usual: 'text/plain' })
  const fields = usualOf(header.fields)
  const sums = pieceSumsOf(bytes)
  return {
    ...{ envelope, part },
    ...(fields !== undefined && { fields }),
    ...(sums !== undefined && { sums }),
  }
}

/** `isEmpty`: a delimiter ended the header, so there is no body. */
type Ranges = { header: number; body: number; isEmpty: boolean }

type Place = {
  start: number
  depth: number
  /** The type of a part that names none. */
  usual: 'text/plain' | 'message/rfc822'
}

class StructureReader {
  readonly #bytes: Buffer
  readonly #room: Room
  readonly #delimiters: ReturnType<typeof delimiterFinder>
  readonly #lines: (from: number, to: number) => number

  constructor(bytes: Buffer, room: Room) {
    this.#bytes = bytes
    this.#room = room
    this.#delimiters = delimiterFinder(bytes)
    this.#lines = lineCounter(bytes)
  }

  /** Afterwards the found delimiter is the one that ended the part. */
  part(block: HeaderBlock, { start, depth, usual }: Place): Part {
    const { header, boundary } = describePart(this.#bytes, block.fields, usual, this.#room)
    const at = this.#place(block, start)
    const isTooDeep = depth >= MAX_MIME_DEPTH
    if (boundary !== null && !isTooDeep) return this.#multipart(header, at, { boundary, depth })
    if (boundary === null && !isMessage(header)) return this.#leaf(header, at)
    if (isTooDeep || isEncoded(header)) return this.#leaf(asFile(header), at)
    return this.#message(header, at, depth)
  }

  #place({ body, isDelimited }: HeaderBlock, start: number): Ranges {
    if (!isDelimited) return { header: start, body, isEmpty: false }
    return { header: start, body: endBefore(this.#bytes, body, start), isEmpty: true }
  }

  #leaf(header: PartHeader, { isEmpty, ...at }: Ranges): Part {
    if (!isEmpty) this.#delimiters.find(at.body)
    const end = isEmpty ? at.body : this.#delimiters.endOfBody(at.body)
    const isText = header.type.toLowerCase() === 'text'
    return { ...header, ...at, end, ...(isText && { lines: this.#lines(at.body, end) }) }
  }

  #multipart(
    header: PartHeader,
    { isEmpty, ...at }: Ranges,
    { boundary, depth }: { boundary: string; depth: number },
  ): Part {
    const parts: Part[] = []
    if (!isEmpty) {
      const open = this.#delimiters.open(boundary)
      this.#delimiters.find(at.body)
      const usual = /^digest$/i.test(header.subtype) ? 'message/rfc822' : 'text/plain'
      for (let begin = open.partBegin(); begin !== null; begin = open.partBegin())
        if (this.#room.holdsPart() || parts.length === 0)
          parts.push(this.#inner(begin, depth + 1, usual))
        else this.#delimiters.find(begin)
      open.close()
    }
    const least = parts.at(-1)?.end ?? at.body
    const end = isEmpty ? at.body : this.#delimiters.endOfBody(least)
    if (parts.length === 0) parts.push(this.#undivided(at.body, end))
    return { ...header, ...at, end, parts }
  }

  /** Where no part is found, all of it is shown (decision 045). */
  #undivided(body: number, end: number): Part {
    return {
      type: 'text',
      subtype: 'plain',
      header: body,
      body,
      end,
      lines: this.#lines(body, end),
    }
  }

  #message(header: PartHeader, { isEmpty, ...at }: Ranges, depth: number): Part {
    const block: HeaderBlock = isEmpty
      ? { fields: [], body: at.body, isDelimited: false }
      : readHeaderBlock(this.#bytes, at.body, this.#delimiters.isDelimiter)
    const envelope = envelopeOf(this.#bytes, block.fields, this.#room)
    const inner = { start: at.body, depth: depth + 1, usual: 'text/plain' as const }
    const part = isEmpty ? this.#undivided(at.body, at.body) : this.part(block, inner)
    const lines = this.#lines(at.body, part.end)
    return { ...header, ...at, end: part.end, lines, message: { envelope, part } }
  }

  #inner(start: number, depth: number, usual: Place['usual']): Part {
    const block = readHeaderBlock(this.#bytes, start, this.#delimiters.isDelimiter)
    return this.part(block, { start, depth, usual })
  }
}

/** undefined: too many to note. */
const usualOf = (fields: readonly HeaderField[]): number[] | undefined => {
  const places = fields.flatMap(({ name, start, end }) => {
    const n = usualFields.indexOf(name)
    return n === -1 ? [] : [n, start, end - start]
  })
  return fields.length < MAX_FIELDS && places.length <= MAX_NOTED * 3 ? places : undefined
}

const MAX_NOTED = 200
const LF = 0x0a
const BLOCK_BYTES = 4_096

/** Counts line ends. Parts inside parts are counted again without reading their bytes again. */
const lineCounter = (bytes: Buffer) => {
  /** Up to each block. */
  const before = [0]
  const count = (from: number, to: number): number => {
    let lines = 0
    for (let at = from; at < to; at++) if (bytes[at] === LF) lines += 1
    return lines
  }
  const upTo = (offset: number): number => {
    const block = Math.floor(offset / BLOCK_BYTES)
    for (let n = before.length; n <= block; n++)
      before.push((before[n - 1] ?? 0) + count((n - 1) * BLOCK_BYTES, n * BLOCK_BYTES))
    return (before[block] ?? 0) + count(block * BLOCK_BYTES, offset)
  }
  return (from: number, to: number): number =>
    to - from < BLOCK_BYTES ? count(from, to) : upTo(to) - upTo(from)
}
