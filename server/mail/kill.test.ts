/** Kills the real program: mail with a 250 is stored, queued mail is delivered, each once. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { type Program, startProgram } from '#test-world/program.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { aSmtpPeer, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'

let app: TestApp
let dns: TestDns
let peer: SmtpPeer
let mailbox: Mailbox

beforeAll(async () => {
  app = await anApp()
  mailbox = await aMailbox(app)
  dns = await aDnsServer()
  dns.zone('example.net')
  dns.set('example.net', 'A', ['127.0.0.1'])
  peer = await aSmtpPeer()
})
afterAll(async () => {
  await dns.close()
  await peer.close()
  await app.close()
})

const start = async (): Promise<{ program: Program; port: number }> => {
  const program = startProgram({
    DATABASE_URL: app.database.url,
    DATA_DIR: app.config.dataDir,
    DNS_SERVERS: dns.address,
    DNS_PORT: String(dns.port),
    MX_PORT: String(peer.port),
    MAIL_IPS: '192.0.2.25',
    MAIL_HOST: app.config.mailHost,
    ALLOW_LOOPBACK_PEERS: 'on',
  })
  const [, port] = await program.says(/accepted at \S*:(\d+)/)
  return { program, port: Number(port) }
}
const kill = async (program: Program) => {
  program.signal('SIGKILL')
  await program.ended
}
const stop = async (program: Program) => {
  program.signal('SIGTERM')
  await program.ended
}

test('mail that got 250 before a kill -9 is there afterwards, once, byte for byte', async () => {
  const letter = (n: number) => `Subject: kill ${n}\r\n\r\n${`line ${n} `.repeat(200)}\r\n`
  const promised: number[] = []
  let next = 0
  /** Tells when so many have been promised. */
  const enough = { count: 0, come: () => {} }
  const sendUntilCut = async (port: number, atMost: number) => {
    while (next < atMost) {
      const n = next++
      const reply = await sendMail(port, { to: mailbox.email, raw: letter(n) }).catch(() => 'cut')
      if (reply.startsWith('250')) promised.push(n)
      if (promised.length === enough.count) enough.come()
      if (reply === 'cut') return
    }
  }
  for (const killAfter of [15, 40]) {
    const { program, port } = await start()
    const isEnough = new Promise<void>((come) => Object.assign(enough, { count: killAfter, come }))
    const senders = Array.from({ length: 8 }, () => sendUntilCut(port, 1_000))
    await isEnough
    await kill(program)
    await Promise.all(senders)
  }
  const { program, port } = await start()
  await sendUntilCut(port, next + 3)
  await stop(program)
  const rows = await app.db.selectFrom('messages').select(['subject', 'blob']).execute()
  const blobs = segmentBlobs(join(app.config.dataDir, 'blobs'))
  for (const n of promised) {
    const found = rows.filter(({ subject }) => subject === `kill ${n}`)
    expect(found, `kill ${n}`).toHaveLength(1)
    const raw = await blobs.get(found[0]?.blob ?? '')
    expect(raw.toString().endsWith(letter(n))).toBe(true)
  }
  const inbox = await app.db
    .selectFrom('folders')
    .select(['messageCount', 'uidNext'])
    .where('role', '=', 'inbox')
    .executeTakeFirstOrThrow()
  expect(inbox).toEqual({ messageCount: rows.length, uidNext: rows.length + 1 })
})

test('a kill -9 while mail goes out loses none and repeats none', async () => {
  const recipients = Array.from({ length: 30 }, (_, n) => `user${n}@example.net`)
  let stalled = 0
  // Ten mails are delivered; the others stall before their final dot when the program dies.
  peer.behave = (stage) => {
    if (stage !== 'data' || peer.messages.length < 10) return undefined
    stalled++
    return 'stall'
  }
  for (const recipient of recipients)
    await enqueueMessage(app, app.db, {
      workspaceId: null,
      mailboxId: null,
      mailFrom: 'no-reply@mail.mailstead.test',
      recipients: [recipient],
      raw: Buffer.from(`Subject: out\r\n\r\nto ${recipient}\r\n`),
    })
  const first = await start()
  // Every delivered mail is in the ledger: only a kill between delivery and ledger could cause a second copy.
  await expect
    .poll(async () => stalled >= 3 && (await delivered()) === peer.messages.length)
    .toBe(true)
  await kill(first.program)
  peer.behave = () => undefined
  const second = await start()
  const arrived = await peer.arrived(30)
  await stop(second.program)
  expect(arrived.map(({ to }) => to[0]).sort()).toEqual(recipients.toSorted())
})

const delivered = async (): Promise<number> =>
  (await app.db.selectFrom('deliveries').select('id').where('status', '=', 'delivered').execute())
    .length
