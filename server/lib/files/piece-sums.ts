/**
 * Checksums of the pieces of large bytes, so that a range can be read and verified without the rest. Whoever keeps the bytes has
 * their SHA-256, which takes all of them.
 */
import { crc32 } from 'node:zlib'

/** Bytes up to this have no sums: they are read whole. */
export const PIECE_BYTES = 131_072

/** CRC-32 of each piece; undefined where there is only one. */
export const pieceSumsOf = (bytes: Uint8Array): number[] | undefined => {
  if (bytes.length <= PIECE_BYTES) return undefined
  const sums: number[] = []
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    sums.push(crc32(bytes.subarray(at, at + PIECE_BYTES)))
  return sums
}

/** The pieces that hold the range, as a range. */
export const piecesAround = (start: number, end: number, size: number) => ({
  start: Math.floor(start / PIECE_BYTES) * PIECE_BYTES,
  end: Math.min(Math.ceil(end / PIECE_BYTES) * PIECE_BYTES, size),
})

/** `bytes`: whole pieces, of which the first begins at `start`. */
export const areAsSummed = (bytes: Uint8Array, start: number, sums: readonly number[]): boolean => {
  const first = start / PIECE_BYTES
  const count = Math.ceil(bytes.length / PIECE_BYTES)
  for (let n = 0; n < count; n++)
    if (crc32(bytes.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES)) !== sums[first + n])
      return false
  return true
}
