/** A file that is made at first need and then stays. Two processes at once agree on one. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Its text. Mode 0600, and on disk before it is answered. */
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
