/** Dovecot's IMAP over TLS on loopback, on a Maildir, with the configuration of this folder: fast logins, and any password. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { freePort } from '#test-world/free-port.ts'
import type { Served } from './with-imap-product.ts'

export type Dovecot = Served & { stop(): void }

const PROGRAM = 'dovecot'
const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` }
const run = (...args: string[]): boolean =>
  spawnSync(PROGRAM, args, { env, stdio: 'ignore', timeout: 20_000 }).status === 0

/** null: it is not installed, or this user cannot start it. */
export const startDovecot = async (): Promise<Dovecot | null> => {
  if (process.getuid?.() !== 0 || !run('--version')) return null
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-dovecot-'))
  chmodSync(folder, 0o755)
  for (const name of ['boxes', 'state']) mkdirSync(join(folder, name))
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'dovecot']).toString())
  chownSync(join(folder, 'boxes'), idOf('-u'), idOf('-g'))
  const { cert, key } = selfSigned('localhost', new Date(), 30)
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const port = await freePort()
  const conf = join(folder, 'dovecot.conf')
  const text = readFileSync(join(import.meta.dirname, 'dovecot.conf'), 'utf8')
  writeFileSync(conf, text.replaceAll('FOLDER', folder).replaceAll('PORT', String(port)))
  if (!run('-c', conf))
    throw new Error(`Dovecot did not start: ${readFileSync(join(folder, 'dovecot.log'), 'utf8')}`)
  const accountOf = (login: string) => ({ port, login, password: 'any' })
  return {
    ...accountOf('ada'),
    ofIdle: (n) => accountOf(`box${n % 20}`),
    folder,
    pid: await pidIn(join(folder, 'run', 'master.pid')),
    stop: () => {
      run('-c', conf, 'stop')
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** It is written a moment after the program has gone to the background. */
const pidIn = async (file: string): Promise<number> => {
  for (let tries = 0; tries < 100 && !existsSync(file); tries++) await wait(50)
  return Number(readFileSync(file, 'utf8'))
}
