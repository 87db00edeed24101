/** The folder of one test run. Its name contains the pid, so that the next run can remove what a killed run left. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'mailstead-test-run-'

export const aRunFolder = (): string => {
  removeOrphans()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // Started by root, PostgreSQL runs under another account that must be able to enter the folder.
  chmodSync(folder, 0o711)
  return folder
}

/**
 * A killed run could not stop its server. The folder's name has the pid of the run; the server's working directory is in the
 * folder.
 */
const removeOrphans = (): void => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    if (isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue
    try {
      const pidFile = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8')
      const pid = Number(pidFile.split('\n')[0])
      if (readlinkSync(`/proc/${pid}/cwd`) === join(folder, 'postgres'))
        process.kill(pid, 'SIGQUIT')
    } catch {
      // No server, or not ours to stop.
    }
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another user's folder, or a server is still writing; the next run removes it.
    }
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
