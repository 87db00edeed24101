/** What a process and all its children took, as Linux counts it: memory, and processor time. */
import { readdirSync, readFileSync } from 'node:fs'

/** With shared pages divided among their users (PSS). */
export const memoryBytes = (pid: number, dataDir: string): number =>
  familyOf([pid], dataDir).reduce((sum, name) => sum + pssOf(name), 0)

/** Clock ticks are hundredths of a second for every program (man 5 proc_pid_stat). */
const TICK_MS = 10

/** Processor time since they started, with that of children that have ended. */
export const processorMs = (pids: readonly number[], dataDir: string): number =>
  familyOf(pids, dataDir).reduce((sum, name) => sum + ticksOf(name), 0) * TICK_MS

/** These processes and what they started; and our PostgreSQL, which is detached: found by the data folder in its command line. */
const familyOf = (pids: readonly number[], dataDir: string): string[] => {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(processes.map((name) => [Number(name), parentOf(name)]))
  const roots = new Set(pids)
  for (const name of processes) if (commandOf(name).includes(dataDir)) roots.add(Number(name))
  const isOurs = (at: number | undefined): boolean =>
    at !== undefined && at > 1 && (roots.has(at) || isOurs(parents.get(at)))
  return processes.filter((name) => isOurs(Number(name)))
}

/** Of one process, without its children. */
export const processBytes = (pid: number): number => pssOf(String(pid))

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // The process has ended meanwhile.
  }
}

const commandOf = (pid: string): string => read(`/proc/${pid}/cmdline`)
const parentOf = (pid: string): number =>
  Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1])
const pssOf = (pid: string): number =>
  Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
/** The fields after the name, which may hold spaces: utime, stime, cutime and cstime are the 12th to 15th of them. */
const ticksOf = (pid: string): number => {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}
