/**
 * Two workers with one host name that cannot see each other's processes, like containers on the host's network: no mail is sent
 * twice.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { anApp, type TestApp } from '../app.ts'
import { aDnsServer, type TestDns } from '../dns/dns-server.ts'
import { type Program, startProgram } from '../program.ts'
import { aSmtpPeer, type SmtpPeer } from '../smtp/smtp-peer.ts'

const OWN_PIDS = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

let app: TestApp
let dns: TestDns
let peer: SmtpPeer
const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-apart-'))
beforeAll(async () => {
  app = await anApp()
  dns = await aDnsServer()
  dns.zone('example.net')
  dns.set('example.net', 'A', ['127.0.0.1'])
  peer = await aSmtpPeer()
})
afterAll(async () => {
  await Promise.all([dns.close(), peer.close()])
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const isRoot = process.getuid?.() === 0

const mayUnshare = (): boolean => {
  try {
    execFileSync(OWN_PIDS[0] ?? '', [...OWN_PIDS.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const start = (): Program =>
  startProgram(
    {
      DATABASE_URL: app.database.url,
      DATA_DIR: app.config.dataDir,
      ROLES: 'worker',
      DNS_SERVERS: dns.address,
      DNS_PORT: String(dns.port),
      MX_PORT: String(peer.port),
      MAIL_IPS: '192.0.2.25',
      MAIL_HOST: app.config.mailHost,
      ALLOW_LOOPBACK_PEERS: 'on',
    },
    [],
    OWN_PIDS,
  )

test('a worker that starts beside another takes none of what that one is sending', async ({
  skip,
}) => {
  // Tests run as root can always unshare: there the test fails instead of being skipped.
  if (!isRoot && !mayUnshare())
    return skip('this user may not unshare --pid: run this test as root')
  const answered = Promise.withResolvers<void>()
  const [underWay, allIn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let dots = 0
  peer.behave = (stage) => {
    if (stage !== 'dot') return undefined
    dots += 1
    if (dots === 5) underWay.resolve()
    if (dots === 10) allIn.resolve()
    return { after: answered.promise }
  }
  const enqueue = (recipient: string) =>
    enqueueMessage(app, app.db, {
      ...{ workspaceId: null, mailboxId: null, mailFrom: 'no-reply@mail.mailstead.test' },
      ...{ recipients: [recipient], raw: Buffer.from(`Subject: out\r\n\r\nto ${recipient}\r\n`) },
    })
  const recipients = Array.from({ length: 10 }, (_, n) => `user${n}@example.net`)
  for (const recipient of recipients.slice(0, 5)) await enqueue(recipient)
  const first = start()
  await underWay.promise
  const second = start()
  // The first worker has the maximum for this domain, so the second one sends these; by then it has searched for dead workers.
  for (const recipient of recipients.slice(5)) await enqueue(recipient)
  await allIn.promise
  answered.resolve()
  const isDone = async () => {
    const rows = await app.db.selectFrom('deliveries').select('status').execute()
    return rows.every(({ status }) => status === 'delivered')
  }
  await expect.poll(isDone).toBe(true)
  for (const program of [first, second]) {
    program.signal('SIGKILL')
    await program.ended
  }
  expect(peer.messages.flatMap(({ to }) => to).sort()).toEqual(recipients)
})
