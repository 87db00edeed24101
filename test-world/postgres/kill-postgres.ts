/** kill -9 for the PostgreSQL of a DATA_DIR and its children: like a power cut, only what is on disk remains. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `cluster`: the folder of it in DATA_DIR. Does nothing when none is running. */
export const killPostgres = (dataDir: string, cluster = 'postgres'): void => {
  const pid = serverOf(dataDir, cluster)
  if (pid === null) return
  const backends = childrenOf(pid)
  // The server first: otherwise it would notice a dead backend and stop the others in order.
  for (const each of [pid, ...backends]) kill(each)
}

const serverOf = (dataDir: string, cluster: string): number | null => {
  try {
    return Number(readFileSync(join(dataDir, cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

/** Empty without /proc: there the backends notice by themselves that the server has died. */
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
    // The command name, in brackets, may contain anything; state and parent follow it.
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
    // It has already ended.
  }
}
