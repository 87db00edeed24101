/** Creates the cluster at first start, in a temporary folder that is renamed when it is complete. */
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, parse } from 'node:path'
import type { Account } from '../../lib/accounts.ts'
import { madeOnce, syncFolder } from '../../lib/files/data-folder.ts'
import { StartError } from '../../lib/ports/bound-ports.ts'
import { clusterFolder, missingPostgresText, type PostgresRuntime } from './runtime.ts'

export const SUPERUSER = 'mailstead'

/** Does nothing when the cluster exists. Safe for two processes at once: one rename wins, and both know the password. */
export const makeCluster = async (
  dataDir: string,
  runtime: PostgresRuntime,
  isDurable: boolean,
): Promise<void> => {
  const cluster = clusterFolder(dataDir)
  if (existsSync(cluster)) return
  if (runtime.account) letIn(runtime.account, dataDir)
  const part = `${cluster}.${randomUUID()}.part`
  const passwordFile = `${part}-password`
  try {
    mkdirSync(part, { mode: 0o700 })
    writeFileSync(passwordFile, passwordOf(dataDir), { mode: 0o600, flag: 'wx' })
    give(part, runtime.account)
    give(passwordFile, runtime.account)
    const { code, output } = await tryRun(runtime, 'initdb', [
      `--pgdata=${part}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      ...(isDurable ? [] : ['--no-sync']),
    ])
    if (code !== 0) throw new StartError(`PostgreSQL's initdb failed: ${output.trim()}`)
    renameSync(part, cluster)
    syncFolder(dataDir)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    // Another first start was faster; its cluster is used.
    if (!existsSync(cluster)) throw error
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Removes the temporary folders of killed starts. Only while holding the lock of DATA_DIR. */
export const removeHalfMadeClusters = (dataDir: string): void => {
  for (const name of readdirSync(dataDir))
    if (/^postgres\.[0-9a-f-]{36}\.part/.test(name))
      rmSync(join(dataDir, name), { recursive: true, force: true })
}

export const passwordOf = (dataDir: string): string =>
  madeOnce(join(dataDir, 'database-password'), () => randomBytes(24).toString('base64url'))

export const give = (path: string, account: Account | null): void => {
  if (account) chownSync(path, account.uid, account.gid)
}

/** Started by root, PostgreSQL runs under another account that must be able to enter DATA_DIR. */
const letIn = (account: Account, dataDir: string): void => {
  if (!mayEnter(account, dataDir)) chmodSync(dataDir, (statSync(dataDir).mode & 0o777) | 0o001)
  for (let at = dirname(dataDir); at !== parse(at).root; at = dirname(at))
    if (!mayEnter(account, at))
      throw new StartError(
        `DATA_DIR is ${dataDir}, but PostgreSQL, which runs as user ${account.name} when Mailstead is started by root, may not enter ${at}. ` +
          `Please choose a DATA_DIR such as /var/lib/mailstead, or allow it with: chmod o+x ${at}`,
      )
}

const mayEnter = ({ uid, gid }: Account, folder: string): boolean => {
  const found = statSync(folder)
  if (found.uid === uid) return (found.mode & 0o100) !== 0
  return (found.mode & (found.gid === gid ? 0o010 : 0o001)) !== 0
}

/** Runs a PostgreSQL program to its end; returns its exit code and output. */
export const tryRun = (
  { bin, account }: PostgresRuntime,
  program: 'initdb' | 'pg_ctl',
  parameters: string[],
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(bin, program), parameters, {
      // The account may have no access to our working directory, and must not see our settings.
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(account && { uid: account.uid, gid: account.gid }),
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('close', (code) => resolve({ code, output }))
    // The file exists, but not its loader: a system with another C library.
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new StartError(missingPostgresText()) : error),
    )
  })
