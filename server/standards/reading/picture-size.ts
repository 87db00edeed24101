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
    const { width, height, orientation = 1 } = format?.calculate(start) ?? noSize
    const isSize = [width, height].every((side) => side >= 1 && side <= MAX_SIDE)
    if (!isSize) return null
    return orientation >= FIRST_TURNED ? { width: height, height: width } : { width, height }
  } catch {
    return null
  }
}

const noSize = { width: 0, height: 0, orientation: 1 }
