/** Makes the cluster at first start: in a temporary folder that is renamed when it is whole. */
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
import { clusterFolder, noPostgresHere, type PostgresRuntime } from './runtime.ts'

export const SUPERUSER = 'mailstead'

/** Does nothing when the cluster is there. Two at once are safe: one rename wins, both know the password. */
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
    // Another first start was quicker; its cluster is as good as ours.
    if (!existsSync(cluster)) throw error
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** What a start that was killed half-way left. Only while holding the lock of DATA_DIR. */
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

/** Root's PostgreSQL runs under another account, which must be able to enter DATA_DIR. */
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

/** Runs a PostgreSQL program to its end and answers its exit code and output. */
export const tryRun = (
  { bin, account }: PostgresRuntime,
  program: 'initdb' | 'pg_ctl',
  parameters: string[],
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(bin, program), parameters, {
      // Its account may be unable to enter our working folder; none of our settings are its business.
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(account && { uid: account.uid, gid: account.gid }),
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('close', (code) => resolve({ code, output }))
    // The file is there but its loader is not: a system with another C library.
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new StartError(noPostgresHere()) : error),
    )
  })
