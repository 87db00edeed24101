/** Kills the real program: mail with a 250 is stored, queued mail is delivered, each once. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { newId } from '#server/lib/ids.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { type Program, startProgram } from '#test-world/program.ts'
import { anSmtpClient, sendMail } from '#test-world/smtp/smtp-client.ts'
import { aSmtpPeer, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { handIn, plainOf } from '#test-world/smtp/submission-world.ts'

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

type Started = { program: Program; port: number; tlsPort: number }

const start = async (settings: Record<string, string> = {}): Promise<Started> => {
  const program = startProgram({
    ...settings,
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
  const [, tlsPort] = await program.says(/programs send at \S*:(\d+) /)
  return { program, port: Number(port), tlsPort: Number(tlsPort) }
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

test('what a program handed in before a kill -9 is in the outbox and in Sent, once', async () => {
  const user = await aHolder(app, mailbox)
  const who: Who = {
    ...{ userId: user.id, sessionId: newId(), workspaceId: mailbox.workspaceId },
    ...{ role: 'Holder', ip: '127.0.0.1' },
  }
  const given = { name: 'Phone', scopes: ['smtp' as const] }
  const { password } = await makeAppPassword(app, who, mailbox.id, given)
  const promised: string[] = []
  const enough = Promise.withResolvers<void>()
  const handInUntilCut = async (port: number, by: number) => {
    const client = await anSmtpClient(port)
    await client.startTls()
    await client.reply()
    for (const line of ['EHLO program.example', plainOf(mailbox.email, password)])
      await client.say(line)
    for (let n = 0; ; n++) {
      const id = `${by}-${n}@program.example`
      const raw = `From: ${mailbox.email}\r\nMessage-ID: <${id}>\r\nSubject: ${id}\r\n\r\nHi\r\n`
      const mail = { from: mailbox.email, to: 'eve@example.net', raw }
      const reply = await handIn(client, mail).catch(() => 'cut')
      if (reply === 'cut') return
      if (reply.startsWith('250')) promised.push(id)
      if (promised.length === 20) enough.resolve()
    }
  }
  const { program, tlsPort } = await start({
    SEND_LIMIT: '0',
    NEW_RECIPIENT_LIMIT: '0',
    ROLES: 'smtp',
  })
  const senders = [1, 2, 3, 4].map((by) => handInUntilCut(tlsPort, by))
  await enough.promise
  await kill(program)
  await Promise.all(senders)
  const rows = await app.db
    .selectFrom('messages')
    .innerJoin('outboxMessages', 'outboxMessages.sentMessageId', 'messages.id')
    .innerJoin('deliveries', 'deliveries.outboxMessageId', 'outboxMessages.id')
    .select(['messages.messageId', 'outboxMessages.blob'])
    .where('messages.mailboxId', '=', mailbox.id)
    .execute()
  const blobs = segmentBlobs(join(app.config.dataDir, 'blobs'))
  for (const id of promised) {
    const found = rows.filter(({ messageId }) => messageId === id)
    expect(found, id).toHaveLength(1)
    expect((await blobs.get(found[0]?.blob ?? '')).toString()).toContain(`<${id}>`)
  }
  await app.db.deleteFrom('outboxMessages').execute()
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
