/** The mark of a DATA_DIR into which a backup is being restored: nobody starts on half of it. */
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../ports/bound-ports.ts'
import { madeOnce, syncFolder } from './data-folder.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'restoring')

export const isHalfRestored = (dataDir: string): boolean => existsSync(fileIn(dataDir))

/** Durable. `from`: the place of the backup, for people. */
export const markHalfRestored = (dataDir: string, from: string): void => {
  madeOnce(fileIn(dataDir), () => from)
}

export const markRestored = (dataDir: string): void => {
  rmSync(fileIn(dataDir))
  syncFolder(dirname(fileIn(dataDir)))
}

/** @throws StartError */
export const refuseHalfRestored = (dataDir: string): void => {
  if (isHalfRestored(dataDir))
    throw new StartError(
      `A backup was being restored into DATA_DIR, ${dataDir}, and was not finished. Please run the restore again.`,
    )
}
