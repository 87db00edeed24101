import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf, StartError } from '../start-error.ts'

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
