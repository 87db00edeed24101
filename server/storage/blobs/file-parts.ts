/** Reads of a part of a file: of a blob that is a file of its own, or of one in a segment. Little of a large one is in memory. */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { areAsSummed, PIECE_BYTES, piecesAround } from '../../lib/files/piece-sums.ts'
import { piecesOf } from '../../lib/files/pieces.ts'

/** `size`: of the whole blob. */
export type Range = { start: number; end: number; size: number }

export type OpenedBlob = {
  size: number
  /** Each piece is read on demand. */
  pieces(): AsyncIterable<Buffer> | Iterable<Buffer>
}

/** In bytes of the file. */
export type FilePart = { start: number; size: number }

/** The hash of what was read, which the caller compares. */
export type Read<T> = { sum: string; found: T }

const READ_BYTES = 1_000_000

export const readPart = async (file: FileHandle, part: FilePart): Promise<Read<Buffer>> => {
  const bytes = Buffer.allocUnsafeSlow(part.size)
  const sum = await sumOf(file, part, (at) => bytes.subarray(at, at + READ_BYTES))
  return { sum, found: bytes }
}

/** Hashes all of it first; `path` is opened again for the pieces. */
export const openPart = async (
  file: FileHandle,
  path: string,
  part: FilePart,
): Promise<Read<OpenedBlob>> => {
  const { size, start } = part
  const scratch = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES))
  const sum = await sumOf(file, part, (at) => scratch.subarray(0, size - at))
  const isWhole = size <= PIECE_BYTES
  const pieces = () =>
    isWhole ? piecesOf(scratch, PIECE_BYTES) : piecesIn(path, start, start + size)
  return { sum, found: { size, pieces } }
}

/** null: the pieces around it are not as they were summed. `from`: where the blob begins in the file. */
export const summedRange = async (
  file: FileHandle,
  from: number,
  { start, end, size }: Range,
  sums: readonly number[],
): Promise<Buffer | null> => {
  const around = piecesAround(start, end, size)
  const bytes = await bytesOf(file, from + around.start, from + around.end)
  const isWhole = bytes.length === around.end - around.start
  if (!isWhole || !areAsSummed(bytes, around.start, sums)) return null
  return bytes.subarray(start - around.start, end - around.start)
}

/** Hashes the part; reads some of it at a time into the buffer of `roomAt`, which is empty at its end. */
const sumOf = async (
  file: FileHandle,
  { start }: FilePart,
  roomAt: (at: number) => Buffer,
): Promise<string> => {
  const sum = createHash('sha256')
  for (let at = 0, room = roomAt(0); room.length > 0; room = roomAt(at)) {
    const { bytesRead } = await file.read(room, 0, room.length, start + at)
    if (bytesRead === 0) break
    sum.update(room.subarray(0, bytesRead))
    at += bytesRead
  }
  return sum.digest('hex')
}

/** Fewer when the file ends before. */
const bytesOf = async (file: FileHandle, start: number, end: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafeSlow(end - start)
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, start + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/** The file is opened when the first piece is asked for, and closed when the caller stops. */
export async function* piecesIn(
  path: string,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    for (let at = start; at < end; ) {
      // A new buffer each time: the previous piece may still be in use.
      const room = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at))
      const { buffer, bytesRead } = await file.read(room, 0, null, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
