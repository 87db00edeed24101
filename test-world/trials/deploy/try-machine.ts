/**
 * Runs every command of the pages install.md and upgrade.md in an empty Debian under systemd: mail comes in before and after an
 * upgrade, a kill and a way back, and the service has no right but that to low ports. Takes the ports 25, 80, 143, 443, 465, 587,
 * 993 and 8080 of this machine.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Mailbox } from '#contract/mailboxes.ts'
import { aDnsServer } from '../../dns/dns-server.ts'
import { ELSEWHERE, mailsAt } from '../../product.ts'
import { sendMail } from '../../smtp/smtp-client.ts'
import { aSmtpPeer } from '../../smtp/smtp-peer.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain } from '../account.ts'
import { keptMails } from '../incoming-kill.ts'
import { anEmptyMachine, type Machine, writeDropIn } from './empty-machine.ts'
import { commandsOf } from './page-commands.ts'
import type { Releases } from './releases.ts'

const URL_INSIDE = 'http://127.0.0.1:8080'
const NAME = 'mail.example.com'
/** What an upgrade may cost. */
const MOST_AWAY_MS = 10_000

export type MachineTrial = { awayMs: number; exposure: string; faults: string[] }

export const tryMachine = async (releases: Releases): Promise<MachineTrial> => {
  const [dns, peer, machine] = [await aDnsServer(), await aSmtpPeer(), await anEmptyMachine()]
  try {
    dns.zone(ELSEWHERE)
    dns.set(ELSEWHERE, 'MX', [`10 mx.${ELSEWHERE}`])
    dns.set(`mx.${ELSEWHERE}`, 'A', ['127.0.0.1'])
    dns.zone('example.com')
    dns.set(NAME, 'A', ['127.0.0.1'])
    writeDropIn(machine, {
      ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port), MX_PORT: String(peer.port) },
      ...{ ACME: 'off', ALLOW_LOOPBACK_PEERS: 'on', BILLING: 'off', MAIL_IPS: '192.0.2.25' },
    })
    for (const file of [releases.now, releases.next])
      copyFileSync(file, join(machine.root, 'root', file.slice(file.lastIndexOf('/') + 1)))
    return await steps(machine, releases.versions, { url: URL_INSIDE, mailTo: mailsAt(peer), dns })
  } finally {
    await machine.close()
    await Promise.all([dns.close(), peer.close()])
  }
}

const steps = async (
  machine: Machine,
  { now, next }: Releases['versions'],
  world: Parameters<typeof anAccount>[0],
): Promise<MachineTrial> => {
  const faults: string[] = []
  const follow = async (page: string, heading: string, which?: number): Promise<string> => {
    let all = ''
    for (const [n, command] of commandsOf(page, heading).entries()) {
      if (which !== undefined && which !== n) continue
      const { code, said } = await machine.run(`cd /root\n${command}`)
      if (code !== 0) throw new Error(`${page}.md, ${heading}: ${code}\n${command}${said}`)
      all += said
    }
    return all
  }
  const expectVersion = async (version: string) => {
    const { said } = await machine.run('readlink /opt/mailstead; systemctl is-active mailstead')
    if (said !== `/opt/mailstead-${version}\nactive`) faults.push(`in place of ${version}: ${said}`)
  }
  const log = await follow('install', 'On a machine of its own')
  if (!log.includes('Please make your account')) faults.push(`no link in the log: ${log}`)
  const operators = await follow('install', 'Change a setting')
  if (!operators.includes('Nobody operates')) faults.push(`the operator's tool said: ${operators}`)
  faults.push(...(await rightsOf(machine)))
  const exposure = await exposureOf(machine)
  if (Number(exposure) > 2) faults.push(`systemd-analyze security says ${exposure}`)

  const account = await anAccount(world, `ada@${ELSEWHERE}`)
  const domain = await anActiveDomain(world, account, 'machine.example')
  const mailbox = await aMailboxAt(account, domain, 'ada')
  const sent: string[] = []
  const mailIsKept = async (after: string) => {
    sent.push(after)
    faults.push(...(await receive(account, mailbox, after, sent)))
  }
  await mailIsKept('the installation')
  await machine.run('kill -9 $(systemctl show --property MainPID --value mailstead)')
  // It stays away for the seconds of RestartSec at least.
  while (await isReady()) await wait(20)
  await untilReady()
  await mailIsKept('a kill')
  const { awayMs } = await measured(() => follow('upgrade', 'Upgrade'))
  if (awayMs > MOST_AWAY_MS) faults.push(`an upgrade was ${awayMs} ms without service`)
  await expectVersion(next)
  await mailIsKept('an upgrade')
  await follow('upgrade', 'Go back', 0)
  await expectVersion(now)
  await follow('upgrade', 'Keep a copy first')
  await expectVersion(next)
  await follow('upgrade', 'Go back', 1)
  await expectVersion(now)
  await mailIsKept('a way back to the copy')
  return { awayMs, exposure, faults }
}

const receive = async (
  account: Account,
  mailbox: Mailbox,
  after: string,
  sent: readonly string[],
): Promise<string[]> => {
  const raw = `From: bob@${ELSEWHERE}\r\nSubject: ${after}\r\n\r\nHello\r\n`
  const reply = await sendMail(25, { to: mailbox.email, raw: Buffer.from(raw) })
  if (!reply.startsWith('250')) return [`after ${after} a mail got ${reply}`]
  await account.logIn()
  const kept = [...(await keptMails(account, mailbox)).keys()]
  const lost = sent.filter((subject) => !kept.includes(subject))
  return lost.map((subject) => `after ${after} the mail '${subject}' was lost`)
}

/** Of the launcher, the program, PostgreSQL and all that they started. */
const rightsOf = async ({ run }: Machine): Promise<string[]> => {
  const { said } = await run(
    'for pid in $(cat $(find /sys/fs/cgroup -path "*mailstead.service/cgroup.procs" | head -1)); do cat /proc/$pid/status; done',
  )
  const values = (field: string) => [
    ...new Set([...said.matchAll(new RegExp(`^${field}:\\s*(\\w+)`, 'gm'))].map(([, v = '']) => v)),
  ]
  const expected = { CapEff: '0000000000000400', CapBnd: '0000000000000400', NoNewPrivs: '1' }
  const faults = Object.entries({ ...expected, Seccomp: '2' })
    .map(([field, value]) => ({ field, value, found: values(field) }))
    .filter(({ value, found }) => found.length !== 1 || found[0] !== value)
    .map(({ field, found }) => `${field} of a process is ${found.join(' and ')}`)
  if (values('Uid').includes('0')) faults.push('a process of the service is root')
  return faults
}

const exposureOf = async ({ run }: Machine): Promise<string> => {
  const verified = await run('systemd-analyze verify mailstead.service')
  if (verified.said !== '') return `a fault in the unit: ${verified.said}`
  const { said } = await run('systemd-analyze security --no-pager mailstead.service')
  return /exposure level for \S+: ([\d.]+)/.exec(said)?.[1] ?? said
}

const isReady = async (): Promise<boolean> => {
  try {
    return (await fetch(`${URL_INSIDE}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

const untilReady = async (): Promise<void> => {
  const giveUpAt = Date.now() + 60_000
  while (!(await isReady())) {
    if (Date.now() > giveUpAt) throw new Error('the service does not come back')
    await wait(20)
  }
}

/** The longest time without service during `work`. */
const measured = async (work: () => Promise<unknown>): Promise<{ awayMs: number }> => {
  let isDone = false
  let awayMs = 0
  const watch = async () => {
    for (let readyAt = performance.now(); !isDone; await wait(20)) {
      if (!(await isReady())) continue
      awayMs = Math.max(awayMs, Math.round(performance.now() - readyAt))
      readyAt = performance.now()
    }
  }
  const watching = watch()
  try {
    await work()
    await untilReady()
    await wait(100)
  } finally {
    isDone = true
    await watching
  }
  return { awayMs }
}
