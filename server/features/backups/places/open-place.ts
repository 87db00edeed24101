import { resolve } from 'node:path'
import { folderPlace } from './folder-place.ts'
import type { BackupPlace } from './place.ts'
import { s3Place } from './s3-place.ts'

/** `where`: a folder or `s3://...`. @throws StartError for a bucket that is not named right */
export const openPlace = (where: string): BackupPlace =>
  where.startsWith('s3://') ? s3Place(where) : folderPlace(resolve(where))
