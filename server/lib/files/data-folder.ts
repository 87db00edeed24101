import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf, StartError } from '../ports/bound-ports.ts'

/** Makes DATA_DIR. @throws StartError when it cannot be written to. */
export const makeDataFolder = (folder: string): void => {
  try {
    // Root's PostgreSQL runs under another account, which must be able to enter; what is private in there is 0600.
    makeFolders(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
    const probe = join(folder, `.${randomUUID()}.probe`)
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    throw new StartError(
      `DATA_DIR is ${folder}, where Mailstead cannot write: ${reasonOf(error)}. Please choose another folder with DATA_DIR.`,
    )
  }
}

/** Not `recursive`: where nothing can be made in a folder that is there, as in /proc, Node tries for ever. */
const makeFolders = (folder: string, mode: number): void => {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another start was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * A file that is made at first need and then stays. Two processes at once agree on one.
 * Its text. Mode 0600, and on disk before it is answered.
 */
export const madeOnce = (file: string, make: () => string): string => {
  if (!existsSync(file)) {
    const part = `${file}.${randomUUID()}.part`
    writeFileSync(part, make(), { mode: 0o600, flag: 'wx', flush: true })
    try {
      // Unlike a rename, a link never replaces what another process wrote first.
      linkSync(part, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(part)
    }
    syncFolder(dirname(file))
  }
  return readFileSync(file, 'utf8').trim()
}

/** Makes the names in a folder durable. */
export const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** As the system says it when a disk has no room left, whoever it was that looked. */

const diskFull = (reason: string): Error =>
  Object.assign(new Error(`ENOSPC: ${reason}`), { code: 'ENOSPC' })

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'

export const isRoomOn = async (folder: string, bytes: number): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= bytes
}

/** @throws ENOSPC: what is left is for others */
export const checkRoomOn = async (folder: string, bytes: number): Promise<void> => {
  if (!(await isRoomOn(folder, bytes)))
    throw diskFull('the rest of the disk is left to the database')
}
