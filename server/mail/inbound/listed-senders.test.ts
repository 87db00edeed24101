/** Whom an operator blocks or allows, at a door of another process than the one that keeps the list. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeSenderList } from '#server/features/junk/sender-list.ts'
import {
  addListed,
  listListed,
  removeFromList,
} from '#server/features/operating/senders/sender-lists.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { anSmtpClient, sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

let app: TestApp
let door: TestApp
let dns: TestDns
let inbound: Awaited<ReturnType<typeof openInbound>>
let mailbox: Mailbox
beforeAll(async () => {
  dns = await aDnsServer()
  dns.zone('casino.example')
  dns.set('casino.example', 'TXT', ['v=spf1 ip4:127.0.0.0/8 -all'])
  dns.set('_dmarc.casino.example', 'TXT', ['v=DMARC1; p=none'])
  dns.zone('strict.example')
  dns.set('strict.example', 'TXT', ['v=spf1 -all'])
  dns.set('_dmarc.strict.example', 'TXT', ['v=DMARC1; p=reject'])
  dns.zone('bl.example')
  dns.set('1.0.0.127.bl.example', 'A', ['127.0.0.4'])
  app = await anApp()
  door = await anApp({
    ...{ database: app.database, clock: app.clock },
    config: { greylist: true, dnsbl: ['bl.example'] },
    dns: openDns({
      ...{ servers: [dns.address], port: dns.port, allowLoopbackPeers: true, timeoutMs: 300 },
    }),
  })
  inbound = await openInbound(door)
})
afterAll(async () => {
  await inbound.close()
  await door.close()
  await app.close()
  await dns.close()
})
beforeEach(async () => {
  mailbox = await aMailbox(app)
  await app.db.deleteFrom('listedSenders').execute()
  door.caches.senderList.delete('')
})

const put = (value: string, action: 'block' | 'allow', endsAt: string | null = null) =>
  addListed(app, 'terminal', { value, action, note: 'because', endsAt })

const bad =
  'Subject: Re: YOUR ACCOUNT IS CLOSED\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\n\r\nPress http://203.0.113.9/login now\r\n'
const letter = (from = 'eve@casino.example') => `From: "service@bank.example" <${from}>\r\n${bad}`

const send = (from = 'eve@casino.example', { to = mailbox.email, raw = letter(from) } = {}) =>
  sendMail(inbound.port, { from, to, raw })

const greetingFrom = async (from: string) => {
  const client = await anSmtpClient(inbound.port, '127.0.0.1', from)
  const greeting = await client.reply()
  client.close()
  return greeting
}

const filedAs = async () => {
  const { role, junk } = await app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['role', 'junk'])
    .where('messages.mailboxId', '=', mailbox.id)
    .orderBy('messages.id', 'desc')
    .executeTakeFirstOrThrow()
  return { role, reasons: junk?.reasons.map(({ text }) => text) }
}

describe('blocked', () => {
  test('a network is refused as it connects, from the moment at which it is listed, and no other', async () => {
    expect(await greetingFrom('127.0.0.66')).toMatch(/^220 /)
    await put('127.0.0.64/30', 'block')
    const refusal = '554 5.7.1 The operator of this server blocks mail from 127.0.0.64/30'
    await expect.poll(() => greetingFrom('127.0.0.66')).toBe(refusal)
    expect(await greetingFrom('127.0.0.68')).toMatch(/^220 /)
    expect(door.logged('mail-refused').at(-1)).toMatchObject({
      ...{ at: 'connection', why: 'blocked', reply: refusal, ip: '127.0.0.66' },
    })
    await removeFromList(app, 'terminal', '127.0.0.65/30')
    await expect.poll(() => greetingFrom('127.0.0.66')).toMatch(/^220 /)
  })

  test('a sender is refused by its address or its domain, in MAIL and in From', async () => {
    await put('casino.example', 'block')
    const refusal = '550 5.7.1 The operator of this server blocks mail from casino.example'
    expect(await send('eve@deep.casino.example')).toBe(refusal)
    expect(door.logged('mail-refused').at(-1)).toMatchObject({
      ...{ at: 'recipient', why: 'blocked', from: 'eve@deep.casino.example', to: [mailbox.email] },
    })
    await put('127.0.0.1/32', 'allow')
    await expect
      .poll(() => send('a@other.example', { raw: letter('eve@casino.example') }))
      .toBe(refusal)
    expect(await send('a@other.example', { raw: letter('eve@notcasino.example') })).toMatch(/^250 /)
  })

  test('abuse@ takes mail of a blocked sender', async () => {
    const user = await aUser(app)
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const { name } = await aDomain(app, { workspaceId: workspace.id, active: true })
    await put('casino.example', 'block')
    expect(await send('eve@casino.example', { to: `abuse@${name}` })).toMatch(/^250 /)
  })

  test('abuse@ beside a mailbox lets no blocked author through', async () => {
    const user = await aUser(app)
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const { name } = await aDomain(app, { workspaceId: workspace.id, active: true })
    await put('strict-author.example', 'block')
    await put('127.0.0.1', 'allow')
    const raw = letter('eve@strict-author.example')
    const both = [mailbox.email, `abuse@${name}`]
    await expect
      .poll(() => sendMail(inbound.port, { from: 'eve@casino.example', to: both, raw }))
      .toMatch(/^550 5.7.1 The operator/)
  })

  test('a blocked sender does not make its server one that guesses addresses', async () => {
    await put('blocked.example', 'block')
    const client = await anSmtpClient(inbound.port, '127.0.0.1', '127.0.0.71')
    await client.reply()
    await client.say('EHLO mx.provider.example')
    for (let n = 0; n < 25; n++) {
      await client.say('MAIL FROM:<eve@blocked.example>')
      expect(await client.say(`RCPT TO:<${mailbox.email}>`)).toMatch(/^550 5.7.1 The operator/)
      await client.say('RSET')
    }
    client.close()
  })

  test('until its end, and then it is forgotten', async () => {
    await put('127.0.0.66', 'block', secondsAfter(app.clock.now(), 60).toISOString())
    expect(await greetingFrom('127.0.0.66')).toMatch(/^554 /)
    app.clock.advance({ seconds: 61 })
    expect(await greetingFrom('127.0.0.66')).toMatch(/^220 /)
    expect((await listListed(app, newest)).items).toEqual([])
    await purgeSenderList(app)
    expect(await app.db.selectFrom('listedSenders').selectAll().execute()).toEqual([])
  })
})

const newest = { order: 'since', direction: 'down', limit: 10 } as const

describe('allowed', () => {
  test('a network passes block lists elsewhere and the greylist, and its mail is no junk', async () => {
    expect(await send()).toMatch(/^550 5.7.1 127.0.0.1 is on the block list bl.example/)
    await put('127.0.0.1', 'allow')
    await expect.poll(() => send()).toMatch(/^250 /)
    const { role, reasons } = await filedAs()
    expect(role).toBe('inbox')
    expect(reasons).toContain('The operator of this installation allows mail from 127.0.0.1')
  })

  test('a sender passes where SPF says that it is the sender', async () => {
    await put('casino.example', 'allow')
    expect(await send()).toMatch(/^250 /)
    expect((await filedAs()).role).toBe('inbox')
    await put('strict.example', 'allow')
    await expect.poll(() => send('eve@strict.example')).toMatch(/^550 5.7.1 .* bl.example/)
  })

  test('a sender that is allowed lends its name to no other author', async () => {
    dns.zone('bank.example')
    dns.set('_dmarc.bank.example', 'TXT', ['v=DMARC1; p=quarantine'])
    await put('casino.example', 'allow')
    const raw = letter('billing@bank.example')
    await expect.poll(() => send('eve@casino.example', { raw })).toMatch(/^250 /)
    expect((await filedAs()).role).toBe('junk')
  })

  test('what its own domain asks to refuse is refused as before', async () => {
    await put('127.0.0.1', 'allow')
    expect(await send('eve@strict.example')).toMatch(/^550 5.7.1 strict.example asks by DMARC/)
  })
})

describe('what an operator may list', () => {
  test.each([
    ['127.0.0.0/8', '127.0.0.1 is an address of this installation'],
    ['::1', '::1 is an address of this installation'],
    ['mail.mailstead.test', 'mail.mailstead.test is a domain of this installation'],
    ['eve@mail.mailstead.test', 'mail.mailstead.test is a domain of this installation'],
    ['mailstead.test', 'mail.mailstead.test is a domain of this installation'],
    ['0.0.0.0/0', expect.stringContaining('too wide')],
    ['co.uk', expect.stringContaining('public suffix')],
  ])('not to block %s', async (value, message) => {
    await expect(put(value, 'block')).rejects.toMatchObject({ data: { value: message } })
    expect(await app.db.selectFrom('listedSenders').selectAll().execute()).toEqual([])
  })

  test('not to block a customer, nor for a day that is over; once listed, it is changed', async () => {
    const { name } = await aDomain(app, { active: true, name: 'shop.customer.example' })
    for (const value of [name, `info@${name}`, 'customer.example'])
      await expect(put(value, 'block')).rejects.toMatchObject({
        data: { value: `${name} is a domain of this installation` },
      })
    await expect(put('info@customer.example', 'block', '2020-01-01T00:00:00Z')).rejects.toThrow()
    const { _id } = await put('casino.example', 'block')
    expect(await put('@CASINO.example', 'allow')).toMatchObject({ _id, action: 'allow' })
    const { items } = await listListed(app, { q: 'BECAUSE', ...newest })
    expect(items).toMatchObject([{ value: 'casino.example', action: 'allow', madeBy: 'terminal' }])
  })
})
