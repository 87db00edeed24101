/**
 * Writes files of any size into one archive as they come (PKWARE APPNOTE 6.3.10): compressed, with their sizes behind them, and in the
 * 64-bit format. Memory holds a piece of one file and the directory: about a hundred bytes a file.
 */
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { CENTRAL, END, LOCAL, numbers } from './zip-file.ts'

export type StreamedFile = {
  /** With `/` between folders. */
  name: string
  content: AsyncIterable<Buffer> | Iterable<Buffer>
  /** Called when all of it was read. */
  onEnd?: (sums: FileSums) => void
}
export type FileSums = { bytes: number; sha256: string }

const [DESCRIPTOR, END_64, LOCATOR_64] = [0x08074b50, 0x06064b50, 0x07064b50]
const VERSION = 45
/** The sizes follow the file (bit 3); names are UTF-8 (bit 11). */
const FLAGS = 0x0808
const DEFLATED = 8
const [UNKNOWN_2, UNKNOWN_4] = [0xffff, 0xffffffff]
const ZIP_64 = 1
/** Mail is text: the fastest level takes most of what can be taken. */
const LEVEL = 1

/** `at`: the date of every file. */
export async function* zipStream(
  files: AsyncIterable<StreamedFile>,
  at: Date,
): AsyncGenerator<Buffer> {
  const day = dayOf(at)
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content, onEnd } of files) {
    const start = offset
    const named = Buffer.from(name)
    const count = { packed: 0, bytes: 0, sum: 0, hash: createHash('sha256') }
    const head = localHeader(named, day)
    offset += head.length
    yield head
    for await (const piece of packed(content, count)) {
      offset += piece.length
      yield piece
    }
    const sum = [count.sum, 4] as const
    const tail = numbers([DESCRIPTOR, 4], sum, [count.packed, 8], [count.bytes, 8])
    offset += tail.length
    yield tail
    directory.push(centralHeader(named, day, { ...count, start }))
    onEnd?.({ bytes: count.bytes, sha256: count.hash.digest('hex') })
  }
  yield* directory
  yield endOf(directory, offset)
}

type Count = { packed: number; bytes: number; sum: number; hash: ReturnType<typeof createHash> }

async function* packed(content: StreamedFile['content'], count: Count): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: LEVEL })
  const read = async function* () {
    for await (const piece of content) {
      count.bytes += piece.length
      count.sum = crc32(piece, count.sum)
      count.hash.update(piece)
      yield piece
    }
  }
  const done = pipeline(read, deflate)
  // It is awaited below; until then a failure shows in the loop.
  done.catch(() => {})
  for await (const piece of deflate as AsyncIterable<Buffer>) {
    count.packed += piece.length
    yield piece
  }
  await done
}

const localHeader = (name: Buffer, day: number): Buffer =>
  Buffer.concat([
    numbers([LOCAL, 4], [VERSION, 2], [FLAGS, 2], [DEFLATED, 2], [0, 2], [day, 2], [0, 4]),
    numbers([UNKNOWN_4, 4], [UNKNOWN_4, 4], [name.length, 2], [20, 2]),
    name,
    numbers([ZIP_64, 2], [16, 2], [0, 8], [0, 8]),
  ])

const centralHeader = (
  name: Buffer,
  day: number,
  { packed, bytes, sum, start }: Pick<Count, 'packed' | 'bytes' | 'sum'> & { start: number },
): Buffer =>
  Buffer.concat([
    numbers([CENTRAL, 4], [VERSION, 2], [VERSION, 2], [FLAGS, 2], [DEFLATED, 2], [0, 2], [day, 2]),
    numbers([sum, 4], [UNKNOWN_4, 4], [UNKNOWN_4, 4], [name.length, 2], [28, 2], [0, 2], [0, 2]),
    numbers([0, 2], [0, 4], [UNKNOWN_4, 4]),
    name,
    numbers([ZIP_64, 2], [24, 2], [bytes, 8], [packed, 8], [start, 8]),
  ])

/** `offset`: where the directory begins. */
const endOf = (directory: readonly Buffer[], offset: number): Buffer => {
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = directory.length
  return Buffer.concat([
    numbers([END_64, 4], [44, 8], [VERSION, 2], [VERSION, 2], [0, 4], [0, 4]),
    numbers([count, 8], [count, 8], [size, 8], [offset, 8]),
    numbers([LOCATOR_64, 4], [0, 4], [offset + size, 8], [1, 4]),
    numbers([END, 4], [0, 2], [0, 2], [UNKNOWN_2, 2], [UNKNOWN_2, 2]),
    numbers([UNKNOWN_4, 4], [UNKNOWN_4, 4], [0, 2]),
  ])
}

/** The date in the format of MS-DOS, which begins in 1980. */
const dayOf = (at: Date): number =>
  ((Math.max(1980, at.getUTCFullYear()) - 1980) << 9) |
  ((at.getUTCMonth() + 1) << 5) |
  at.getUTCDate()
