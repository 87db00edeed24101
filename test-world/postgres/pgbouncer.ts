/** PgBouncer of the Debian package `pgbouncer`, in transaction mode, in front of a database of the tests. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
export const hasPooler = spawnSync(PROGRAM, ['--version']).status === 0

export type Pooler = {
  /** For DATABASE_POOL_URL. */
  url: string
  /** Its connections end, and new ones are refused. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** `behind`: a URL of the database, over TCP. `most`: connections to it. */
export const aPooler = async (behind: string, most: number): Promise<Pooler> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-pooler-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { hostname, port: portBehind, username } = new URL(behind)
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`)
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${portBehind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${most}
max_client_conn = 200
server_login_retry = 1
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`,
  )
  const launch = async () => {
    const child = spawn(PROGRAM, [settings], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('process up')) resolve()
      })
      child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${said}`)))
    })
    return child
  }
  let running = await launch()
  const stop = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  const url = new URL(behind)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    stop,
    start: async () => {
      running = await launch()
    },
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
