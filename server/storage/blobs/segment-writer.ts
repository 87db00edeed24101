/**
 * Appends blobs to a segment of this process: one write and one fdatasync for all that wait. After any failure it begins a new
 * segment, because what is on disk behind the last success is unknown.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HEADER_BYTES, headerOf, nameOf, newSegment, pathOfSegment } from './segment-file.ts'

export type SegmentWriter = {
  /** The blob's name; durable when it resolves. */
  append(hash: string, bytes: Uint8Array): Promise<string>
  close(): Promise<void>
}

/** Above this, or after this time, a new segment begins: the sweep takes only those to which nobody appends. */
const MOST_BYTES = 64_000_000
const MOST_MS = 3_600_000
const BATCH_BYTES = 8_000_000

/** A blob to be written, and who waits for its name. */
export type Waiting = {
  hash: string
  bytes: Uint8Array
  resolve: (name: string) => void
  reject: (error: unknown) => void
}

type Segment = {
  id: string
  path: string
  file: FileHandle
  inode: number
  size: number
  at: number
}

/** What a writer asks of the folder. `beforeWrite` is asked once for each write, with its bytes. */
export type SegmentDisk = {
  beforeWrite(bytes: number): Promise<void>
  /** Durable, with its parents. */
  makeFolder(folder: string): Promise<void>
  /** Makes the entries of the folder durable. */
  syncFolder(folder: string): Promise<void>
}

export const segmentWriter = (folder: string, disk: SegmentDisk): SegmentWriter => {
  const waiting: Waiting[] = []
  const segments = ownSegments(folder, disk)
  let writing: Promise<void> | null = null

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await disk.beforeWrite(batch.reduce((sum, { bytes }) => sum + HEADER_BYTES + bytes.length, 0))
      const names = await append(await segments.current(), batch)
      for (const [at, name] of names.entries()) batch[at]?.resolve(name)
    } catch (error) {
      await segments.leave()
      for (const { reject } of batch) reject(error)
    }
  }

  /** Ends in the same step in which it finds nothing: what comes later starts it again. */
  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) await write(waiting.splice(0, countOf(waiting)))
    writing = null
  }

  return {
    append: (hash, bytes) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      waiting.push({ hash, bytes, resolve, reject })
      writing ??= writeWaiting()
      return promise
    },
    close: async () => {
      await writing
      await segments.leave()
    },
  }
}

/** The segment to which this process appends, and its successors. */
const ownSegments = (folder: string, disk: SegmentDisk) => {
  let current: Segment | null = null

  const begin = async (): Promise<Segment> => {
    const id = newSegment()
    const path = pathOfSegment(folder, id)
    await disk.makeFolder(dirname(path))
    const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
    current = { id, path, file, inode: (await file.stat()).ino, size: 0, at: Date.now() }
    await disk.syncFolder(dirname(path))
    return current
  }

  const leave = async (): Promise<void> => {
    const left = current
    current = null
    await left?.file.close().catch(() => {})
  }

  return {
    leave,
    current: async (): Promise<Segment> => {
      if (current !== null && isOpen(current) && (await isThere(current))) return current
      await leave()
      return begin()
    },
  }
}

const isOpen = ({ size, at }: Segment): boolean => size < MOST_BYTES && Date.now() - at < MOST_MS

/** A folder that was replaced has no file of this name, or another one. */
const isThere = ({ path, inode }: Segment): Promise<boolean> =>
  stat(path).then(
    ({ ino }) => ino === inode,
    () => false,
  )

/** @returns the names of the blobs, which are durable. */
const append = async (segment: Segment, batch: readonly Waiting[]): Promise<string[]> => {
  const { id, file, size: start } = segment
  const names = batch.map(({ hash, bytes }) => {
    const place = { segment: id, offset: segment.size, size: bytes.length, hash }
    segment.size += HEADER_BYTES + bytes.length
    return nameOf(place)
  })
  const parts = batch.flatMap(({ hash, bytes }) => [headerOf(hash, bytes.length), bytes])
  await writeAll(file, parts, start)
  await file.datasync()
  return names
}

/** How many of these are written at once. */
export const countOf = (waiting: readonly Waiting[]): number => {
  let bytes = 0
  const end = waiting.findIndex((each) => {
    bytes += each.bytes.length
    return bytes > BATCH_BYTES
  })
  return end === -1 ? waiting.length : Math.max(1, end)
}

const writeAll = async (
  file: FileHandle,
  parts: readonly Uint8Array[],
  position: number,
): Promise<void> => {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const { bytesWritten } = await file.writev([...parts], position)
  if (bytesWritten === size) return
  // A disk that fills up takes a part; the second write says why.
  const rest = Buffer.concat(parts).subarray(bytesWritten)
  for (let at = 0; at < rest.length; )
    at += (await file.write(rest, at, rest.length - at, position + bytesWritten + at)).bytesWritten
}
