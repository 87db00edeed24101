/** Starts and stops the server process of a cluster. Knows no lock: two callers may both try, PostgreSQL lets one. */
import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../lib/start-error.ts'
import { clusterFolder, give, tryRun } from './embedded-postgres-cluster.ts'
import type { PostgresRuntime } from './embedded-postgres-runtime.ts'

export type ServerOptions = {
  dataDir: string
  runtime: PostgresRuntime
  maxConnections: number
  /** false: tests that would rather be quick. */
  isDurable: boolean
}

const SOCKET_PREFIX = 'mailstead-'
/** The shortest limit of our systems: 103 bytes on macOS, 107 on Linux. */
const LONGEST_SOCKET_PATH = 103
const MAX_LOG_BYTES = 10_000_000

export const isRunning = async ({ dataDir, runtime }: ServerOptions): Promise<boolean> => {
  const { code } = await tryRun(runtime, 'pg_ctl', ['status', '-D', clusterFolder(dataDir)])
  return code === 0
}

/** Where the running server listens: line 5 of its pid file. null while there is none. */
export const socketFolderOf = (dataDir: string): string | null => {
  try {
    const lines = readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')
    return lines[4]?.trim() || null
  } catch {
    return null
  }
}

export type ServerProcess = {
  /** True once this process has ended, also because another server has the cluster. */
  hasEnded(): boolean
}

/** Does not wait until it answers. It outlives us, and Ctrl+C in our terminal does not reach it. */
export const launch = (options: ServerOptions): ServerProcess => {
  const { dataDir, runtime } = options
  const { account, bin } = runtime
  removeStraySocketFolder(dataDir)
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

export const stop = async ({ dataDir, runtime }: ServerOptions): Promise<void> => {
  const socketFolder = socketFolderOf(dataDir)
  const parameters = ['stop', '-D', clusterFolder(dataDir), '-m', 'fast', '-w', '-t', '60']
  const { code, output } = await tryRun(runtime, 'pg_ctl', parameters)
  if (code !== 0 && existsSync(join(clusterFolder(dataDir), 'postmaster.pid')))
    throw new Error(`PostgreSQL did not stop: ${output.trim()}`)
  if (socketFolder && isStray(socketFolder)) rmSync(socketFolder, { recursive: true, force: true })
}

/** The last lines of the server's log, for a sentence about why it did not start. */
export const lastWords = (dataDir: string): string =>
  readFileSync(logFile(dataDir), 'utf8').trim().split('\n').slice(-3).join(' ')

const flags = ({ dataDir, runtime, maxConnections, isDurable }: ServerOptions): string[] =>
  Object.entries({
    listen_addresses: '',
    unix_socket_directories: socketFolder(dataDir, runtime),
    unix_socket_permissions: '0700',
    max_connections: maxConnections,
    shared_buffers: '48MB',
    // One machine, few connections: helpers of PostgreSQL cost more memory than they save time.
    jit: 'off',
    io_method: 'sync',
    max_parallel_workers_per_gather: 0,
    fsync: isDurable ? 'on' : 'off',
    synchronous_commit: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    cluster_name: 'mailstead',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const socketFolder = (dataDir: string, { account }: PostgresRuntime): string => {
  const near = join(dataDir, 'run')
  const isShort = Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH
  // A comma separates folders in the setting.
  if (isShort && !near.includes(',')) {
    mkdirSync(near, { recursive: true, mode: 0o700 })
    give(near, account)
    return near
  }
  const elsewhere = mkdtempSync(join(shortFolder(), SOCKET_PREFIX))
  give(elsewhere, account)
  return elsewhere
}

const shortFolder = (): string => (Buffer.byteLength(tmpdir()) <= 60 ? tmpdir() : '/tmp')

const isStray = (folder: string): boolean =>
  dirname(folder) === shortFolder() && basename(folder).startsWith(SOCKET_PREFIX)

/** A server that was killed could not remove its folder. Only when it is surely not running. */
const removeStraySocketFolder = (dataDir: string): void => {
  const left = socketFolderOf(dataDir)
  if (left && isStray(left)) rmSync(left, { recursive: true, force: true })
}

const logFile = (dataDir: string): string => join(dataDir, 'postgres.log')

const openLog = (dataDir: string): number => {
  const file = logFile(dataDir)
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

export const startFailed = (dataDir: string): StartError =>
  new StartError(`PostgreSQL did not start: ${lastWords(dataDir)}`)
