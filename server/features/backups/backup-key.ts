/** The key of the backups: BACKUP_KEY, or one that the first backup makes in DATA_DIR. It is in no backup. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '#server/app.ts'
import { madeOnce } from '#server/lib/files/data-folder.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { keyOf, newKey } from './sealed-place.ts'

type KeyPlace = Pick<App['config'], 'backup' | 'dataDir'>

const fileIn = (dataDir: string): string => join(dataDir, 'backup-key')

/** `isNew`: it was made just now, and is to be printed. */
export const keyToBackUp = ({ backup, dataDir }: KeyPlace): { key: Buffer; isNew: boolean } => {
  if (backup.key !== null) return { key: backup.key, isNew: false }
  const isNew = !existsSync(fileIn(dataDir))
  return { key: keyOf(madeOnce(fileIn(dataDir), newKey)), isNew }
}

/** @throws StartError where there is none */
export const keyToRead = ({ backup, dataDir }: KeyPlace): Buffer => {
  if (backup.key !== null) return backup.key
  if (existsSync(fileIn(dataDir))) return keyOf(readFileSync(fileIn(dataDir), 'utf8'))
  throw new StartError('Please set BACKUP_KEY to the key that the first backup printed.')
}

/** What is printed once. */
export const keyText = (key: Buffer): string =>
  `The key of these backups is ${key.toString('base64')}. Please keep it where this machine's loss does not reach it, and set BACKUP_KEY to it when you restore: without it nobody can read them.`
