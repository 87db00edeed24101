/** kill -9 for the PostgreSQL of a DATA_DIR, with all that it started: what a power cut leaves is what was on disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Does nothing when none is running. */
export const killPostgres = (dataDir: string): void => {
  const pid = serverOf(dataDir)
  if (pid === null) return
  const backends = childrenOf(pid)
  // The server first, or it would notice that a backend died and tell the others to end in order.
  for (const each of [pid, ...backends]) kill(each)
}

const serverOf = (dataDir: string): number | null => {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

/** Empty where there is no /proc: there the backends see by themselves that the server is gone. */
const childrenOf = (parent: number): number[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => parentOf(pid) === parent)
      .map(Number)
  } catch {
    return []
  }
}

const parentOf = (pid: string): number | null => {
  try {
    // The command's name, in brackets, may hold anything; state and parent follow it.
    const stat = readFileSync(join('/proc', pid, 'stat'), 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was quicker.
  }
}
