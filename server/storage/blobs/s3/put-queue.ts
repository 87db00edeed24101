/**
 * Groups small blobs that come within a moment into one object: a store takes as long for one blob as for a hundred, and asks a
 * price for each request. A large blob is an object of its own. Uploads in flight are bounded.
 */
import { openTurns } from '#server/lib/turns/turns.ts'
import { type BlobPlace, HEADER_BYTES, headerOf, nameOf, newSegment } from '../segment-file.ts'
import { countOf, type Waiting } from '../segment-writer.ts'

export type PutQueue = {
  /** The blob's name; durable when it resolves. @throws what `upload` throws */
  append(hash: string, bytes: Uint8Array): Promise<string>
  close(): Promise<void>
}

export type Upload = (segment: string, bytes: Buffer) => Promise<void>

/** As long as a statement takes: who waits for it would wait for PostgreSQL as well. */
const GATHER_MS = 2
const UPLOADS_AT_ONCE = 16
const LARGE_AT_ONCE = 4

/** `smallBytes`: larger blobs are uploaded alone. */
export const putQueue = (upload: Upload, smallBytes: number): PutQueue => {
  const waiting: Waiting[] = []
  const large = openTurns(LARGE_AT_ONCE)
  const running = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | null = null

  const send = (): void => {
    timer = null
    while (waiting.length > 0 && running.size < UPLOADS_AT_ONCE) {
      const batch = waiting.splice(0, countOf(waiting))
      const uploading = uploadBatch(upload, batch).finally(() => {
        running.delete(uploading)
        gather()
      })
      running.add(uploading)
    }
  }

  const gather = (): void => {
    if (waiting.length > 0 && timer === null && running.size < UPLOADS_AT_ONCE)
      timer = setTimeout(send, GATHER_MS)
  }

  return {
    append: async (hash, bytes) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const each = { hash, bytes, resolve, reject }
      if (bytes.length > smallBytes) await large.take(() => uploadBatch(upload, [each]))
      else {
        waiting.push(each)
        gather()
      }
      return promise
    },
    close: async () => {
      if (timer !== null) clearTimeout(timer)
      while (waiting.length + running.size > 0) {
        send()
        await Promise.all(running)
      }
    },
  }
}

/** Never fails: each of the batch learns the outcome. */
const uploadBatch = async (upload: Upload, batch: readonly Waiting[]): Promise<void> => {
  const segment = newSegment()
  let offset = 0
  const places = batch.map(({ hash, bytes }): BlobPlace => {
    const place = { segment, offset, size: bytes.length, hash }
    offset += HEADER_BYTES + bytes.length
    return place
  })
  const parts = batch.flatMap(({ hash, bytes }) => [headerOf(hash, bytes.length), bytes])
  try {
    await upload(segment, Buffer.concat(parts, offset))
    for (const [at, place] of places.entries()) batch[at]?.resolve(nameOf(place))
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
