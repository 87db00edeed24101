/** The memory of a process and all its children, with shared pages divided among their users (PSS, Linux). */
import { readdirSync, readFileSync } from 'node:fs'

/** Includes our PostgreSQL, which is detached: found by the data folder in its command line. */
export const memoryBytes = (pid: number, dataDir: string): number => {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(processes.map((name) => [Number(name), parentOf(name)]))
  const roots = new Set([pid])
  for (const name of processes) if (commandOf(name).includes(dataDir)) roots.add(Number(name))
  const isOurs = (at: number | undefined): boolean =>
    at !== undefined && at > 1 && (roots.has(at) || isOurs(parents.get(at)))
  return processes
    .filter((name) => isOurs(Number(name)))
    .reduce((sum, name) => sum + pssOf(name), 0)
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
