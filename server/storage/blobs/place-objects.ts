/** The files or objects of a place of blobs as they are, so that they can be moved to another place and no row changes (decision 131). */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { reasonOf } from '../../lib/ports/bound-ports.ts'
import { makeFolderDurable, writeDurable } from './blobs.ts'
import { segmentBlobs } from './segment-blobs.ts'
import { pathOfSegment } from './segment-file.ts'

/** A key is `segments/{segment}` or `files/{SHA-256}`. */
export type PlaceObjects = {
  /** In the order of the keys. */
  list(): AsyncIterable<{ key: string; size: number }>
  /** null: there is none. @throws BlobStoreAway */
  sizeOf(key: string): Promise<number | null>
  /** null: there is none. @throws BlobStoreAway */
  read(key: string): Promise<Buffer | null>
  /** Durable when it resolves; in place of what was there. @throws BlobStoreAway, ENOSPC */
  write(key: string, bytes: Uint8Array): Promise<void>
}

export const segmentKey = (segment: string): string => `segments/${segment}`
export const fileKey = (hash: string): string => `files/${hash}`

export const folderObjects = (folder: string): PlaceObjects => {
  const known = new Set<string>()
  const pathOf = (key: string): string => {
    const [kind = '', name = ''] = key.split('/')
    return kind === 'segments' ? pathOfSegment(folder, name) : join(folder, name.slice(0, 2), name)
  }
  return {
    async *list() {
      const blobs = segmentBlobs(folder)
      for await (const { hash, size } of blobs.list()) yield { key: fileKey(hash), size }
      for await (const { segment, size } of blobs.segments())
        yield { key: segmentKey(segment), size }
    },
    sizeOf: async (key) => (await unlessMissing(stat(pathOf(key))))?.size ?? null,
    read: (key) => unlessMissing(readFile(pathOf(key))),
    write: async (key, bytes) => {
      await makeFolderDurable(dirname(pathOf(key)), folder, known)
      await writeDurable(pathOf(key), bytes)
    },
  }
}

const unlessMissing = async <T>(found: Promise<T>): Promise<T | null> => {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new BlobStoreAway(reasonOf(error), { cause: error })
  }
}
