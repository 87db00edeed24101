/** Starts and stops the server process of a cluster. It takes no lock: of two callers, PostgreSQL lets one start. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../../lib/ports/bound-ports.ts'
import { give, tryRun } from './cluster.ts'
import { clusterFolder, clusterMajor, type PostgresRuntime } from './runtime.ts'

export type ServerOptions = {
  dataDir: string
  runtime: PostgresRuntime
  /** The socket folder to use, or the actual one once the server runs. */
  socketFolder: string
  maxConnections: number
  /** false: faster, for tests. */
  isDurable: boolean
}

const SOCKET_PREFIX = 'mailstead-'
/** The lowest limit of the supported systems: 103 bytes on macOS, 107 on Linux. */
const LONGEST_SOCKET_PATH = 103
const MAX_LOG_BYTES = 10_000_000

/** When no server runs, removes stale files of an earlier server, or of one on another host before the folder was copied. */
export const isRunning = async (options: ServerOptions): Promise<boolean> => {
  const { dataDir, runtime, socketFolder } = options
  const { code } = await tryRun(runtime, 'pg_ctl', ['status', '-D', clusterFolder(dataDir)])
  const pid = pidFileLine(dataDir, 1)
  if (code === 0 && !isAnotherProgram(pid, clusterFolder(dataDir))) return true
  // In another container the pids differ, but the socket is the same file.
  if (await isAnswering(join(socketFolder, SOCKET))) return true
  if (code === 0) rmSync(pidFile(dataDir), { force: true })
  const lock = join(socketFolder, `${SOCKET}.lock`)
  if (isAnotherProgram(firstLine(lock), clusterFolder(dataDir))) rmSync(lock, { force: true })
  return false
}

const SOCKET = '.s.PGSQL.5432'

const isAnswering = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

const firstLine = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').split('\n')[0]?.trim() || null
  } catch {
    return null
  }
}

const pidFile = (dataDir: string): string => join(clusterFolder(dataDir), 'postmaster.pid')

const pidFileLine = (dataDir: string, line: number): string | null => {
  try {
    return readFileSync(pidFile(dataDir), 'utf8').split('\n')[line - 1]?.trim() || null
  } catch {
    return null
  }
}

/**
 * PostgreSQL trusts the pid in the file while a process with that number exists. After a container restart it may be any program,
 * and without a reaper it may be a zombie. Linux only.
 */
const isAnotherProgram = (pid: string | null, cluster: string): boolean => {
  const process = `/proc/${pid}`
  try {
    if (/\) [ZX] /.test(readFileSync(`${process}/stat`, 'utf8'))) return true
    // A server's working directory is its cluster.
    return readlinkSync(`${process}/cwd`) !== cluster
  } catch {
    return false
  }
}

/** The socket folder of the running server; null when none runs. */
export const socketFolderOf = (dataDir: string): string | null => pidFileLine(dataDir, 5)

export type ServerProcess = {
  /** true: this process has ended, possibly because another server uses the cluster. */
  hasEnded(): boolean
}

/** Does not wait until the server answers. The server outlives this process, and Ctrl+C does not reach it. */
export const launch = (options: ServerOptions): ServerProcess => {
  const { dataDir, runtime } = options
  const { account, bin } = runtime
  makeSocketFolder(options)
  const log = openLog(dataDir)
  const child = spawn(join(bin, 'postgres'), ['-D', clusterFolder(dataDir), ...flags(options)], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
    detached: true,
    stdio: ['ignore', log, log],
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  closeSync(log)
  let ended = false
  child.on('exit', () => (ended = true))
  child.on('error', () => (ended = true))
  child.unref()
  return { hasEnded: () => ended }
}

export const stop = async ({ dataDir, runtime, socketFolder }: ServerOptions): Promise<void> => {
  const parameters = ['stop', '-D', clusterFolder(dataDir), '-m', 'fast', '-w', '-t', '60']
  const { code, output } = await tryRun(runtime, 'pg_ctl', parameters)
  if (code !== 0 && existsSync(pidFile(dataDir)))
    throw new Error(`PostgreSQL did not stop: ${output.trim()}`)
  removeStray(socketFolder)
}

/** Of a cluster that no start may use: one put aside, or one that was not finished. Does nothing when none runs there. */
export const stopServerOf = async (cluster: string, runtime: PostgresRuntime): Promise<void> => {
  const pid = firstLine(join(cluster, 'postmaster.pid'))
  if (pid === null || isAnotherProgram(pid, cluster)) return
  await tryRun(runtime, 'pg_ctl', ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '60'])
}

/** The last lines of the server's log, to explain a failed start. */
const lastWords = (dataDir: string): string =>
  readFileSync(logFile(dataDir), 'utf8').trim().split('\n').slice(-3).join(' ')

const flags = ({ dataDir, socketFolder, maxConnections, isDurable }: ServerOptions): string[] =>
  Object.entries({
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    max_connections: maxConnections,
    shared_buffers: '48MB',
    // One machine, few connections: these features of PostgreSQL cost more memory than they save time.
    jit: 'off',
    ...((clusterMajor(clusterFolder(dataDir)) ?? 0) >= 18 && { io_method: 'sync' }),
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    fsync: isDurable ? 'on' : 'off',
    synchronous_commit: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    cluster_name: 'mailstead',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/**
 * In DATA_DIR; when its path is too long, a short folder elsewhere: that of the last server if it was killed, otherwise a new
 * one.
 */
export const chooseSocketFolder = (dataDir: string): string => {
  const near = join(dataDir, 'run')
  const isShort = Buffer.byteLength(join(near, SOCKET)) <= LONGEST_SOCKET_PATH
  // A comma separates folders in the setting.
  if (isShort && !near.includes(',')) return near
  const last = socketFolderOf(dataDir)
  return last && isStray(last) ? last : join(shortFolder(), `${SOCKET_PREFIX}${randomUUID()}`)
}

const makeSocketFolder = ({ socketFolder, runtime }: ServerOptions): void => {
  const uid = runtime.account?.uid ?? process.getuid?.()
  const found = lstatSync(socketFolder, { throwIfNoEntry: false })
  if (found?.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return
  // In a folder that everyone can write to, an existing entry may be an attack.
  if (found && isStray(socketFolder))
    throw new StartError(
      `PostgreSQL's socket folder ${socketFolder} belongs to another user; please remove it.`,
    )
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 })
  chmodSync(socketFolder, 0o700)
  give(socketFolder, runtime.account)
}

const shortFolder = (): string => (Buffer.byteLength(tmpdir()) <= 40 ? tmpdir() : '/tmp')

const isStray = (folder: string): boolean =>
  dirname(folder) === shortFolder() && basename(folder).startsWith(SOCKET_PREFIX)

/** Removes a socket folder outside DATA_DIR that is no longer needed. */
export const removeStray = (socketFolder: string): void => {
  if (isStray(socketFolder)) rmSync(socketFolder, { recursive: true, force: true })
}

const logFile = (dataDir: string): string => join(dataDir, 'postgres.log')

const openLog = (dataDir: string): number => {
  const file = logFile(dataDir)
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

/** The server ends right after each start. */
export const startFailed = (dataDir: string): StartError =>
  new StartError(`PostgreSQL did not start: ${lastWords(dataDir)}`)
