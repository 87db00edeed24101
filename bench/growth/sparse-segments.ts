/** Files of segments as long as the mails in them would be, without their bytes: a sweep asks only for their length and their age. */
import { mkdir, open, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '#server/lib/clock.ts'
import { pathOfSegment, SEGMENTS } from '#server/storage/blobs/segment-file.ts'

/** As many as go into 64 MB at 30 kB each. */
export const MAILS_IN_SEGMENT = 2_000
export const SEGMENT_BYTES = 60_000_000

/** In SQL, of the segment with this number. */
export const segmentName = (number: string): string => `lpad((${number})::text, 9, '0') || 'growth'`

export const sparseSegments = async (folder: string, count: number): Promise<void> => {
  await mkdir(join(folder, SEGMENTS), { recursive: true })
  const old = new Date(Date.now() - 10 * DAY_MS)
  for (let number = 0; number < count; number++) {
    const path = pathOfSegment(folder, `${String(number).padStart(9, '0')}growth`)
    const file = await open(path, 'w')
    await file.truncate(SEGMENT_BYTES)
    await file.close()
    await utimes(path, old, old)
  }
}
