/** The key of the backups: BACKUP_KEY, or one that the first backup makes in DATA_DIR. It is in no backup. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '#server/app.ts'
import { madeOnce } from '#server/lib/files/data-folder.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { readLastWhole } from './backup-queries.ts'
import { openPlace } from './places/open-place.ts'
import { keyOf, newKey } from './sealed-place.ts'

type KeyPlace = Pick<App['config'], 'backup' | 'dataDir'>

const fileIn = (dataDir: string): string => join(dataDir, 'backup-key')

/** One is made only for a place that has no backups yet. @throws StartError */
export const keyToBackUp = (at: KeyPlace, hasBackups: boolean): Buffer => {
  if (at.backup.key !== null || existsSync(fileIn(at.dataDir)) || hasBackups) return keyToRead(at)
  return keyOf(madeOnce(fileIn(at.dataDir), newKey))
}

/** @throws StartError where there is none */
export const keyToRead = ({ backup, dataDir }: KeyPlace): Buffer => {
  if (backup.key !== null) return backup.key
  if (existsSync(fileIn(dataDir))) return keyOf(readFileSync(fileIn(dataDir), 'utf8'))
  throw new StartError('Please set BACKUP_KEY to the key that the first backup printed.')
}

/** A sentence for a host that cannot make the next backup, since another one made the key; null: it can. */
export const missingKey = async ({
  config,
  db,
}: Pick<App, 'config' | 'db'>): Promise<string | null> => {
  const { place, key } = config.backup
  if (place === null || key !== null || existsSync(fileIn(config.dataDir))) return null
  const { title } = openPlace(place)
  if ((await readLastWhole(db, title)) === null) return null
  return `The backups at ${title} have a key that this host does not have, so it can make none. Please set BACKUP_KEY to the key that the first backup printed; it is also in the file backup-key in the DATA_DIR of the host that made it.`
}

/** After a restore: the backups of tomorrow go on with it. */
export const keepKey = (dataDir: string, key: Buffer): void => {
  madeOnce(fileIn(dataDir), () => key.toString('base64'))
}

/** What is printed with the first whole backup; null: the operator has it, since it is a setting. */
export const keyText = ({ backup }: KeyPlace, key: Buffer): string | null =>
  backup.key !== null
    ? null
    : `The key of these backups is ${key.toString('base64')}. Please keep it where this machine's loss does not reach it, and set BACKUP_KEY to it when you restore: without it nobody can read them.`
