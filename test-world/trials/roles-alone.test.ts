/**
 * A process with one role whose database disappears and returns: it survives, logs each change once, and reports its health
 * correctly.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { anApp, type TestApp } from '../app.ts'
import { aMailbox } from '../builders.ts'
import { aDnsServer, type TestDns } from '../dns/dns-server.ts'
import { aDatabaseSwitch, type DatabaseSwitch } from '../postgres/database-switch.ts'
import { startProgram } from '../program.ts'
import { sendMail } from '../smtp/smtp-client.ts'
import { aSmtpPeer, type SmtpPeer } from '../smtp/smtp-peer.ts'

let app: TestApp
let dns: TestDns
let peer: SmtpPeer
let database: DatabaseSwitch
beforeAll(async () => {
  app = await anApp()
  dns = await aDnsServer()
  dns.zone('example.net')
  dns.set('example.net', 'A', ['127.0.0.1'])
  peer = await aSmtpPeer()
  database = await aDatabaseSwitch(app.database)
})
afterAll(async () => {
  database.close()
  await Promise.all([dns.close(), peer.close()])
  await app.close()
})

const startAlone = async (role: 'smtp' | 'worker') => {
  const program = startProgram({
    ...{ DATABASE_URL: database.url, DATA_DIR: app.config.dataDir, ROLES: role },
    ...{ METRICS_LISTEN: '127.0.0.1:0', LOG_LEVEL: 'warn' },
    ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port), MX_PORT: String(peer.port) },
    ...{ MAIL_IPS: '192.0.2.25', MAIL_HOST: app.config.mailHost, ALLOW_LOOPBACK_PEERS: 'on' },
  })
  const [, metrics] = await program.says(/^Health is told at (\S+)$/m)
  const health = async () => (await fetch(`${metrics}`)).status
  return { program, health }
}
const linesOf = (stderr: string) =>
  stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event)

test('mail alone, and the worker alone', async () => {
  const { email } = await aMailbox(app)
  const smtp = await startAlone('smtp')
  const [, port] = await smtp.program.says(/^Mail is accepted at 127\.0\.0\.1:(\d+)$/m)
  const worker = await startAlone('worker')
  const receive = (subject: string) =>
    sendMail(Number(port), { to: email, raw: `From: s@example.net\r\nSubject: ${subject}\r\n\r\n` })
  const send = (to: string) =>
    enqueueMessage(app, app.db, {
      ...{ workspaceId: null, mailboxId: null, mailFrom: 'no-reply@mail.mailstead.test' },
      ...{ recipients: [to], raw: Buffer.from('Subject: out\r\n\r\nHello\r\n') },
    })
  expect(await receive('before')).toMatch(/^250 /)
  for (const { health } of [smtp, worker]) expect(await health()).toBe(200)

  database.off()
  expect(await receive('amid')).toMatch(/^451 /)
  for (const { program, health } of [smtp, worker]) {
    await program.logs(/database-away/)
    expect(await health()).toBe(503)
  }
  await send('bob@example.net')

  database.on()
  for (const { program, health } of [smtp, worker]) {
    await program.logs(/database-back/)
    await expect.poll(health).toBe(200)
  }
  expect(await receive('after')).toMatch(/^250 /)
  await expect.poll(() => peer.messages.length).toBe(1)
  for (const { program } of [smtp, worker]) {
    program.signal('SIGTERM')
    const { code, stderr } = await program.ended
    expect({ code, lines: linesOf(stderr) }).toEqual({
      code: 0,
      lines: ['database-away', 'database-back'],
    })
  }
})
