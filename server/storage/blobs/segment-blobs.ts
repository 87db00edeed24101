/** The blob store of an installation on disk: small blobs in segments, large ones and those of before as files (decision 088). */
import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkRoomOn, isDiskFull } from '../../lib/files/data-folder.ts'
import { PIECE_BYTES } from '../../lib/files/piece-sums.ts'
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
import { type FilePart, openPart, readPart } from './file-parts.ts'
import {
  type BlobPlace,
  HEADER_BYTES,
  isSegment,
  pathOfSegment,
  placeOf,
  SEGMENTS,
} from './segment-file.ts'
import { type SegmentDisk, segmentWriter } from './segment-writer.ts'

/** Larger blobs are files, so that they hold up nobody and give back their room at once. Those in segments came from a bucket. */
export const SMALL_BYTES = 128_000

export const segmentBlobs = (folder: string, options: FileBlobsOptions = {}): BlobStore => {
  const files = fileBlobs(folder, options)
  const writer = segmentWriter(folder, diskOf(folder, options))
  return {
    ...files,
    ...segmentReads(folder, files, options),
    put: async (bytes) => {
      if (bytes.length > SMALL_BYTES) return files.put(bytes)
      return writer.append(hashOf(bytes), bytes).catch((error: unknown) => {
        throw isDiskFull(error) ? error : awayBecause(error)
      })
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

type Reads = Pick<BlobStore, 'get' | 'stored' | 'open' | 'range'>

/** A large blob in a segment came from a bucket. */
const segmentReads = (
  folder: string,
  files: Reads,
  { checkMark = async () => {} }: FileBlobsOptions,
): Reads => {
  const pathOf = (name: string) => pathOfSegment(folder, placeOf(name)?.segment ?? '')
  const readThrough = checkedReads(pathOf, checkMark)
  const get = (name: string): Promise<Buffer> => {
    const place = placeOf(name)
    if (place === null) return files.get(name)
    return readThrough(name, (file) => readPart(file, partOf(place)))
  }
  return {
    ...{ get, stored: get },
    open: async (name) => {
      const place = placeOf(name)
      if (place === null) return files.open(name)
      return readThrough(name, (file) => openPart(file, pathOf(name), partOf(place)))
    },
    range: async (name, range, sums) => {
      const place = placeOf(name)
      if (place === null) return files.range(name, range, sums)
      if (place.size > PIECE_BYTES)
        return readThrough(name, rangeIn(name, partOf(place).start, range, sums))
      return (await get(name)).subarray(range.start, range.end)
    },
  }
}

const partOf = ({ offset, size }: BlobPlace): FilePart => ({ start: offset + HEADER_BYTES, size })

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
