/** The blob store of an installation on disk: small blobs in segments, large ones and those of before as files (decision 088). */
import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BlobMissing } from '../../lib/files/blob-trouble.ts'
import { checkRoomOn, isDiskFull } from '../../lib/files/data-folder.ts'
import { PIECE_BYTES } from '../../lib/files/piece-sums.ts'
import { piecesOf } from '../../lib/files/pieces.ts'
import {
  awayBecause,
  type BlobStore,
  checkedReads,
  codeOf,
  deleteIfThere,
  type FileBlobsOptions,
  fileBlobs,
  hashOf,
  makeFolderDurable,
  rangeIn,
  syncFolder,
} from './blobs.ts'
import { openPart } from './file-parts.ts'
import {
  HEADER_BYTES,
  isSegment,
  pathOfSegment,
  placeOf,
  readRecord,
  SEGMENTS,
} from './segment-file.ts'
import { type SegmentDisk, segmentWriter } from './segment-writer.ts'

/** Larger blobs are files, so that they hold up nobody and give back their room at once. Those in segments came from a bucket. */
export const SMALL_BYTES = 128_000

export const segmentBlobs = (folder: string, options: FileBlobsOptions = {}): BlobStore => {
  const { checkMark = async () => {} } = options
  const files = fileBlobs(folder, options)
  const writer = segmentWriter(folder, diskOf(folder, options))

  const pathOf = (name: string) => pathOfSegment(folder, placeOf(name)?.segment ?? '')
  const readThrough = checkedReads(pathOf, checkMark)

  const get = async (name: string): Promise<Buffer> => {
    const place = placeOf(name)
    if (place === null) return files.get(name)
    const bytes = await readRecord(folder, place).catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw awayBecause(error)
      await checkMark()
      throw new BlobMissing(name, 'missing')
    })
    if (hashOf(bytes) !== place.hash) throw new BlobMissing(name, 'damaged')
    return bytes
  }

  return {
    ...files,
    put: async (bytes) => {
      if (bytes.length > SMALL_BYTES) return files.put(bytes)
      return writer.append(hashOf(bytes), bytes).catch((error: unknown) => {
        throw isDiskFull(error) ? error : awayBecause(error)
      })
    },
    ...{ get, stored: get },
    open: async (name) => {
      const place = placeOf(name)
      if (place === null) return files.open(name)
      if (place.size > PIECE_BYTES) {
        const part = { start: place.offset + HEADER_BYTES, size: place.size }
        return readThrough(name, (file) => openPart(file, pathOf(name), part))
      }
      const bytes = await get(name)
      return { size: bytes.length, pieces: () => piecesOf(bytes, PIECE_BYTES) }
    },
    range: async (name, range, sums) => {
      const place = placeOf(name)
      if (place === null) return files.range(name, range, sums)
      if (place.size > PIECE_BYTES)
        return readThrough(name, rangeIn(name, place.offset + HEADER_BYTES, range, sums))
      return (await get(name)).subarray(range.start, range.end)
    },
    has: async (name) => {
      const place = placeOf(name)
      if (place === null) return files.has(name)
      const end = place.offset + HEADER_BYTES + place.size
      return stat(pathOfSegment(folder, place.segment)).then(
        ({ size }) => size >= end,
        () => false,
      )
    },
    // What is in a segment is given back by the sweep, with the segment.
    delete: async (name) => {
      if (placeOf(name) === null) await files.delete(name)
    },
    deleteOlder: async (name, than) => placeOf(name) === null && files.deleteOlder(name, than),
    segments: () => segmentsIn(folder),
    segmentOf: (segment) => segmentOf(folder, segment),
    removeSegment: async (segment) => {
      await deleteIfThere(pathOfSegment(folder, segment))
      await syncFolder(join(folder, SEGMENTS))
    },
    close: () => writer.close(),
  }
}

const diskOf = (
  folder: string,
  { reserveBytes = 0, checkMark = async () => {} }: FileBlobsOptions,
): SegmentDisk => {
  const known = new Set<string>()
  return {
    beforeWrite: async (bytes) => {
      await checkMark()
      // An open file does not notice that its disk was mounted again, read-only.
      await access(folder, constants.W_OK).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
      })
      if (reserveBytes > 0) await checkRoomOn(folder, reserveBytes + bytes)
    },
    makeFolder: async (path) => {
      // Once in a segment's life: the folder may have been replaced.
      known.delete(path)
      await makeFolderDurable(path, folder, known)
    },
    syncFolder,
  }
}

async function* segmentsIn(folder: string) {
  const names = await readdir(join(folder, SEGMENTS)).catch(() => [])
  for (const segment of names.filter(isSegment).toSorted()) {
    const found = await segmentOf(folder, segment)
    if (found !== null) yield { segment, ...found }
  }
}

const segmentOf = async (folder: string, segment: string) => {
  const found = await stat(pathOfSegment(folder, segment)).catch(() => null)
  return found && { size: found.size, writtenAt: found.mtime }
}
