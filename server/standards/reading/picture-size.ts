/** The size of a picture, as its first bytes say it: what shows it can keep its room before it has come (decision 084). */
import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'

/** Of each picture; a photograph has its size behind what the camera wrote, at most 64 kB a part. */
const MAX_BYTES = 200_000
/** Larger ones are no pictures that a mail shows. */
const MAX_SIDE = 30_000
/** Turned by a quarter (EXIF), as browsers show them. */
const FIRST_TURNED = 5

export type PictureSize = { width: number; height: number }

/** null: not a PNG, JPEG, GIF or WebP picture, or its beginning does not say. The bytes may be anything. */
export const pictureSizeOf = (bytes: Uint8Array): PictureSize | null => {
  // A copy: the library reads by the buffer, which goes on behind a part of it.
  const start = new Uint8Array(bytes.subarray(0, MAX_BYTES))
  try {
    const format = [PNG, JPG, GIF, WEBP].find(({ validate }) => validate(start))
    if (format === JPG && !leadsToFrame(start)) return null
    const { width, height, orientation = 1 } = format?.calculate(start) ?? noSize
    const isSize = [width, height].every((side) => side >= 1 && side <= MAX_SIDE)
    if (!isSize) return null
    return orientation >= FIRST_TURNED ? { width: height, height: width } : { width, height }
  } catch {
    return null
  }
}

/** Of a JPEG before the one with its size; cameras write a dozen. */
const MAX_PARTS = 500

/**
 * Whether a few parts of a JPEG follow each other up to the one with its size. Where they do not, the library tries every byte,
 * which takes 20 ms or more, for each of a hundred pictures.
 */
const leadsToFrame = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer)
  let at = 2
  for (let part = 0; part < MAX_PARTS; part++) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff) return false
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xc2) return true
    at += 2 + view.getUint16(at + 2)
  }
  return false
}

const noSize = { width: 0, height: 0, orientation: 1 }
