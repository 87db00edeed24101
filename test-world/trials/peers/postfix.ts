/** A separate Postfix on loopback: all its files are in one folder, which is deleted at its end. */
import { execFileSync } from 'node:child_process'
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
import { run } from './tools.ts'

export const POSTFIX_IP = '127.0.0.25'
export const POSTFIX_DOMAIN = 'postfix.example'
const READY_MS = 20_000

export type Postfix = {
  /** The files of the mails that it accepted for its domain. */
  mails(): string[]
  log(): string
  close(): Promise<void>
}

/** Accepts mail at that port for its own domain, and relays all other mail to the product. */
export const startPostfix = async (port: number, ourPort: number): Promise<Postfix> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-postfix-'))
  // Its processes run as another user.
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  for (const name of ['conf', 'queue', 'data', 'boxes']) mkdirSync(at(name))
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postfix']).toString())
  const [user, group] = [idOf('-u'), idOf('-g')]
  for (const name of ['data', 'boxes']) chownSync(at(name), user, group)
  writeFileSync(at('conf/main.cf'), settings(folder, ourPort, user, group))
  writeFileSync(at('conf/master.cf'), services(port))
  const started = await run('postfix', ['-c', at('conf'), 'start'])
  const log = () => (existsSync(at('log')) ? readFileSync(at('log'), 'utf8') : '')
  const close = async () => {
    await run('postfix', ['-c', at('conf'), 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (started.code !== 0) throw new Error(`Postfix did not start: ${started.said} ${log()}`)
    await answers(port)
  } catch (error) {
    await close()
    throw error
  }
  const box = at('boxes/all/new')
  return {
    mails: () => files(box).map((name) => readFileSync(join(box, name), 'latin1')),
    log,
    close,
  }
}

const settings = (folder: string, ourPort: number, user: number, group: number): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mx.${POSTFIX_DOMAIN}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtp_bind_address = 127.0.0.1
relayhost = [127.0.0.1]:${ourPort}
smtp_tls_security_level = may
smtp_host_lookup = native
smtpd_recipient_restrictions = permit_mynetworks, reject
virtual_mailbox_domains = ${POSTFIX_DOMAIN}
virtual_mailbox_base = ${folder}/boxes
virtual_mailbox_maps = static:all/
virtual_minimum_uid = 1
virtual_uid_maps = static:${user}
virtual_gid_maps = static:${group}
alias_maps =
alias_database =
`

/** The needed services of Debian's master.cf, none in a chroot. */
const services = (port: number): string =>
  [
    `${POSTFIX_IP}:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'smtp unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'discard unix - - n - - discard',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    '',
  ].join('\n')

const answers = async (port: number): Promise<void> => {
  const giveUpAt = Date.now() + READY_MS
  while (!(await isOpen(port))) {
    if (Date.now() > giveUpAt) throw new Error('Postfix does not answer')
    await wait(50)
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, POSTFIX_IP)
    socket.once('error', () => done(false))
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
  })

const files = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // The mailbox is created with the first mail.
    return []
  }
}
