/** The folder of one run of tests. It names the run, so that the next one clears away what a killed one left. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'mailstead-test-run-'

export const aRunFolder = (): string => {
  removeOrphans()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // As root PostgreSQL runs under another account, which must be able to enter.
  chmodSync(folder, 0o711)
  return folder
}

/** A run that was killed could not stop its server. The folder names the run, the server works in the folder. */
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
      // Somebody else's, or its server is still writing; the next run removes it.
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
