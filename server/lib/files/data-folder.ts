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

/** Creates DATA_DIR. @throws StartError when it is not writable. */
export const makeDataFolder = (folder: string): void => {
  try {
    // Started by root, PostgreSQL runs under another account that must be able to enter the folder; private files in it are 0600.
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

/** Not `recursive`: when an existing folder accepts no entries, such as /proc, Node retries for ever. */
export const makeFolders = (folder: string, mode: number): void => {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process made it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Creates the file at first use with the text of `make`, and returns its text. Two processes at once agree on one text. Mode
 * 0600; durable before the function returns.
 */
export const madeOnce = (file: string, make: () => string): string => {
  if (!existsSync(file)) {
    const part = `${file}.${randomUUID()}.part`
    writeFileSync(part, make(), { mode: 0o600, flag: 'wx', flush: true })
    try {
      // Unlike a rename, a link never replaces the file of another process.
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

/** Makes the entries of a folder durable. */
export const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The error that the system raises for a full disk. */
const diskFull = (reason: string): Error =>
  Object.assign(new Error(`ENOSPC: ${reason}`), { code: 'ENOSPC' })

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'

export type DiskSpace = { freeBytes: number; sizeBytes: number }

/** Of the disk that the folder is on; free: for programs that are not root. */
export const diskSpaceOf = async (folder: string): Promise<DiskSpace> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

export const isRoomOn = async (folder: string, bytes: number): Promise<boolean> =>
  (await diskSpaceOf(folder)).freeBytes >= bytes

/** @throws ENOSPC when fewer than `bytes` are free: the rest is reserved. */
export const checkRoomOn = async (folder: string, bytes: number): Promise<void> => {
  if (!(await isRoomOn(folder, bytes)))
    throw diskFull('the rest of the disk is left to the database')
}
