import { hostname } from 'node:os'
import { type DiskSpace, diskSpaceOf } from '#server/lib/files/data-folder.ts'
import type { Condition } from './condition.ts'

const GB = 1e9
/** Below this share of the disk and these bytes: a tenth of a large disk is room for years. */
const LEAST = { share: 0.1, bytes: 20 * GB }
/** On any disk, also on one that is small; mail is put off from 100 MB on. */
const LEAST_ANYWHERE = 0.5 * GB

export const disk: Condition = {
  name: 'disk',
  afterMinutes: 5,
  mend: 'Delete what is not needed on the disk of DATA_DIR, or make it larger. With 100 MB left, incoming mail is put off and writing stops.',
  look: async ({ config }) => diskTrouble(await diskSpaceOf(config.dataDir)),
}

export const diskTrouble = ({ freeBytes, sizeBytes }: DiskSpace): string | null => {
  const isLittle = freeBytes < sizeBytes * LEAST.share && freeBytes < LEAST.bytes
  if (!isLittle && freeBytes >= LEAST_ANYWHERE) return null
  // Each worker looks at its own.
  return `The disk of DATA_DIR at ${hostname()} has ${sizeText(freeBytes)} of ${sizeText(sizeBytes)} free.`
}

const sizeText = (bytes: number): string =>
  bytes < GB ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / GB).toFixed(1)} GB`
