/** Mail to non-ASCII addresses is delivered when the recipient's host supports it, and bounces when it does not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { parseMessage } from '#server/standards/message-text.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import { aSmtpPeer, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { type Outbound, startOutbound } from './worker.ts'

let dns: TestDns
let modern: SmtpPeer
let old: SmtpPeer
let app: TestApp
let worker: Outbound
let who: Who
let mailbox: Mailbox

beforeAll(async () => {
  dns = await aDnsServer()
  modern = await aSmtpPeer({ extensions: ['SMTPUTF8'] })
  old = await aSmtpPeer({ port: modern.port, host: '127.0.0.2' })
  for (const [name, ip] of [
    ['modern.example', '127.0.0.1'],
    ['old.example', '127.0.0.2'],
  ] as const) {
    dns.zone(name)
    dns.set(name, 'MX', [`10 mx.${name}`])
    dns.set(`mx.${name}`, 'A', [ip])
  }
  app = await anApp({
    dns: openDns({ servers: [dns.address], port: dns.port, allowLoopbackPeers: true }),
    config: { mxPort: modern.port, systemMail: 'send' },
  })
  who = await aMember(app)
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  await storeKey(app.db, domain, await makeKey(app))
  mailbox = await aMailbox(app, { domain, localPart: 'ada' })
  await letRead(app, mailbox, who.userId)
  worker = startOutbound(app)
})
afterAll(async () => {
  await worker.close()
  await modern.close()
  await old.close()
  await dns.close()
  await app.close()
})

const send = (to: string[]) =>
  sendMessage(app, who, mailbox.id, {
    ...{ to, cc: [], bcc: [], subject: 'Hi', text: 'Hello', attachments: [], draft: false },
  })

/** The subjects of the bounces, when `count` have arrived. */
const bounces = async (count: number): Promise<{ subject: string; searchText: string }[]> => {
  for (;;) {
    const rows = await app.db
      .selectFrom('messages')
      .innerJoin('folders', 'folders.id', 'messages.folderId')
      .select(['subject', 'searchText'])
      .where('folders.role', '=', 'inbox')
      .orderBy('messages.date')
      .execute()
    if (rows.length >= count) return rows
    await new Promise((done) => setTimeout(done, 20))
  }
}

test('a host that takes such addresses is told that they come, in the envelope and in the header', async () => {
  await send(['用户 <用户@modern.example>', '"ann b"@modern.example'])
  const messages = await modern.arrived(2)
  const byRecipient = new Map(messages.map((message) => [message.to[0], message]))
  expect([...byRecipient.keys()].sort()).toEqual(['"ann b"@modern.example', '用户@modern.example'])
  for (const { parameters, raw } of messages) {
    expect(parameters.match(/SMTPUTF8/g)).toHaveLength(1)
    expect(await parseMessage(raw)).toMatchObject({
      to: [{ name: '用户', address: '用户@modern.example' }, { address: '"ann b"@modern.example' }],
    })
  }
})

test('plain mail asks for nothing more', async () => {
  modern.messages.length = 0
  await send(['ann@modern.example'])
  const [message] = await modern.arrived(1)
  expect(message?.parameters).not.toContain('SMTPUTF8')
})

test('a host that does not is not asked, and the writer hears why; mail for others goes on over it', async () => {
  await send(['жанна@old.example'])
  const [bounce] = await bounces(1)
  expect(bounce?.subject).toBe('Not delivered to жанна@old.example')
  expect(bounce?.searchText).toContain('takes no addresses with letters beyond ASCII')
  expect(bounce?.searchText).toContain('550 5.6.7 mx.old.example')
  expect(old.messages).toEqual([])
  await send(['ann@old.example'])
  expect(await old.arrived(1)).toMatchObject([{ to: ['ann@old.example'] }])
})
