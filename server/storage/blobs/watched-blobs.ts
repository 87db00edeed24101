/** A store of blobs that is looked at while the program runs: gone, read-only or swapped is told once, and so is its return. */
import { BlobMissing, BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import type { BlobStore } from './blobs.ts'

const LOOK_MS = 5_000

export type BlobEvents = {
  onAway(error: BlobStoreAway): void
  onBack(): void
  /** One that a row names is lost. */
  onMissing(error: BlobMissing): void
}

export type WatchedBlobs = {
  blobs: BlobStore
  close(): void
}

/** `probe` fails while the store is not the one, or cannot be written to. */
export const watchBlobs = (
  blobs: BlobStore,
  probe: () => Promise<void>,
  events: BlobEvents,
  lookMs = LOOK_MS,
): WatchedBlobs => {
  let isAway = false
  const noticed = (error: unknown): void => {
    if (error instanceof BlobMissing) events.onMissing(error)
    if (!(error instanceof BlobStoreAway) || isAway) return
    isAway = true
    events.onAway(error)
  }
  let isLooking = false
  const look = async (): Promise<void> => {
    // A folder on a network may hang for minutes.
    if (isLooking) return
    isLooking = true
    try {
      await probe()
      if (isAway) events.onBack()
      isAway = false
    } catch (error) {
      noticed(error)
    }
    isLooking = false
  }
  const watching = async <T>(act: Promise<T>): Promise<T> => {
    try {
      return await act
    } catch (error) {
      noticed(error)
      throw error
    }
  }
  const timer = setInterval(look, lookMs).unref()
  return {
    blobs: {
      ...blobs,
      put: (bytes) => watching(blobs.put(bytes)),
      get: (hash) => watching(blobs.get(hash)),
      open: (hash) => watching(blobs.open(hash)),
    },
    close: () => clearInterval(timer),
  }
}
