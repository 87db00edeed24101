/**
 * Postfix with delivery to Dovecot on loopback: Debian's programs with the configuration of this folder, and none of this
 * machine.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test-world/free-port.ts'

export type PostfixDovecot = {
  port: number
  /** The number of mails in mailboxes. */
  delivered(): number
  /** Of Postfix and of Dovecot: the first processes. */
  pids: readonly number[]
  folder: string
  stop(): Promise<void>
}

const READY_MS = 20_000
const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` }
/** Their output goes to logs: a pipe would stay open as long as their children run. */
const run = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { env, stdio: 'ignore', timeout: READY_MS }).status === 0
const isThere = (program: string) => run('sh', '-c', `command -v ${program}`)

/** null when the programs are not installed, or this user cannot start them. */
export const startPostfixDovecot = async (): Promise<PostfixDovecot | null> => {
  if (!isThere('postfix') || !isThere('dovecot') || process.getuid?.() !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-peers-'))
  // Their processes run as other users.
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  for (const name of ['queue', 'data', 'boxes', 'state']) mkdirSync(at(name))
  give(at('data'), 'postfix')
  give(at('boxes'), 'dovecot')
  const port = await freePort()
  for (const name of ['main.cf', 'master.cf', 'dovecot.conf']) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8')
    writeFileSync(at(name), text.replaceAll('FOLDER', folder).replaceAll('PORT', String(port)))
  }
  const stop = async () => {
    run('postfix', '-c', folder, 'stop')
    run('dovecot', '-c', at('dovecot.conf'), 'stop')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    if (!run('dovecot', '-c', at('dovecot.conf')) || !run('postfix', '-c', folder, 'start'))
      throw new Error(`Postfix or Dovecot did not start: ${said(folder)}`)
    await answers(port)
  } catch (error) {
    await stop()
    throw error
  }
  const pids = [at('queue/pid/master.pid'), at('run/master.pid')].map(numberIn)
  return { port, pids, folder, delivered: () => countIn(at('boxes')), stop }
}

const said = (folder: string): string =>
  ['postfix.log', 'dovecot.log']
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')

const numberIn = (file: string): number => Number(readFileSync(file, 'utf8'))

const give = (path: string, user: string): void => {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, user]).toString())
  chownSync(path, idOf('-u'), idOf('-g'))
}

const countIn = (boxes: string): number =>
  readdirSync(boxes).reduce((sum, box) => sum + filesIn(join(boxes, box, 'new')), 0)

const filesIn = (folder: string): number => {
  try {
    return readdirSync(folder).length
  } catch {
    // Created with the first mail.
    return 0
  }
}

const answers = async (port: number): Promise<void> => {
  for (const giveUpAt = Date.now() + READY_MS; ; await wait(50)) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    if (Date.now() > giveUpAt) throw new Error('Postfix does not answer')
  }
}
