/** Starts embedded PostgreSQL in a separate process, so that a test can kill it. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export type Owner = {
  connection: pg.ClientConfig & { host: string }
  kill(): Promise<void>
  stop(): Promise<void>
}

type Answer = { connection: Owner['connection'] } | { refused: string }
export type OwnerOptions = { uid?: number; gid?: number; umask?: string }

/** @throws Error with the sentence of the refused start */
export const startOwner = async (dataDir: string, options: OwnerOptions = {}): Promise<Owner> => {
  const { umask = '022', ...account } = options
  const child = fork(join(import.meta.dirname, 'own-postgres.ts'), [dataDir, umask], {
    execArgv: [],
    cwd: '/',
    ...account,
  })
  const answer = await new Promise<Answer>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Answer))
    child.once('exit', (code) => reject(new Error(`it ended with ${code} and said nothing`)))
  })
  if ('refused' in answer) throw new Error(answer.refused)
  return {
    connection: answer.connection,
    kill: () => ended(child, () => child.kill('SIGKILL')),
    stop: () => ended(child, () => child.send('stop')),
  }
}

const ended = (child: ChildProcess, end: () => void): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    end()
  })

/** The pid of the running server's postmaster. */
export const serverPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

export const ask = async (
  connection: pg.ClientConfig,
  statement: string,
): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
