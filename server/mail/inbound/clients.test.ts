/** Block lists, the greylist, and silent or slow clients. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '#server/config.ts'
import { purgeGreylist } from '#server/features/junk/greylist.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { anSmtpClient, onTheWire, sendMail } from '#test-world/smtp/smtp-client.ts'
import { hasReverseName } from './accept-message.ts'
import { type Limits, openInbound } from './listener.ts'

let app: TestApp
let dns: TestDns
let mailbox: Mailbox
let stop = new AsyncDisposableStack()

beforeAll(async () => {
  dns = await aDnsServer()
  app = await anApp()
})
afterAll(async () => {
  await app.close()
  await dns.close()
})
beforeEach(async () => {
  mailbox = await aMailbox(app)
  return async () => {
    await stop.disposeAsync()
    stop = new AsyncDisposableStack()
  }
})

/** A second process on the same database and clock. */
const aDoor = async (config: Partial<Config>, waits: Limits = {}) => {
  const dnsOfTest = openDns({
    ...{ servers: [dns.address], port: dns.port, allowLoopbackPeers: true, timeoutMs: 300 },
  })
  const process = await anApp({ database: app.database, clock: app.clock, dns: dnsOfTest, config })
  stop.defer(() => process.close())
  const inbound = await openInbound(process, waits)
  stop.defer(() => inbound.close())
  return inbound.port
}
const raw = 'From: a@example.net\r\nSubject: x\r\n\r\nx\r\n'
const send = (port: number, from = 'a@example.net', to: string | string[] = mailbox.email) =>
  sendMail(port, { from, to, raw })

describe('DNSBL', () => {
  const list = (zone: string, answer: string, text?: string) => {
    dns.zone(zone)
    dns.set(`1.0.0.127.${zone}`, 'A', [answer])
    if (text !== undefined) dns.set(`1.0.0.127.${zone}`, 'TXT', [text])
  }

  test('who is on a list is refused, with its name and reason', async () => {
    list('zen.example', '127.0.0.4', 'See https://zen.example/q\r\n250 OK')
    const port = await aDoor({ dnsbl: ['clean.example', 'zen.example'] })
    expect(await send(port)).toBe(
      '550 5.7.1 127.0.0.1 is on the block list zen.example: See https://zen.example/q?250 OK',
    )
    list('mute.example', '127.0.0.2')
    expect(await send(await aDoor({ dnsbl: ['mute.example'] }))).toBe(
      '550 5.7.1 127.0.0.1 is on the block list mute.example',
    )
  })

  test.each([
    [
      'an error that says it is used wrongly',
      () => list('a.example', '127.255.255.254'),
      'a.example',
    ],
    ['an answer that is no listing', () => list('b.example', '203.0.113.1'), 'b.example'],
    ['silence', () => dns.behave('c.example', 'silent'), 'c.example'],
    ['trouble', () => dns.behave('d.example', 'servfail'), 'd.example'],
    ['no answer', () => dns.zone('e.example'), 'e.example'],
  ])('%s counts for nothing', async (_name, prepare, zone) => {
    prepare()
    expect(await send(await aDoor({ dnsbl: [zone] }))).toMatch(/^250 /)
  })

  test('postmaster@ can be asked why; the operator’s own network is never looked up', async () => {
    list('f.example', '127.0.0.2')
    const admin = await aUser(app)
    const { id: workspaceId } = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
    const domain = await aDomain(app, { workspaceId, active: true })
    const port = await aDoor({ dnsbl: ['f.example'] })
    expect(await send(port, 'a@example.net', `postmaster@${domain.name}`)).toMatch(/^250 /)
    expect(await send(port)).toMatch(/^550 /)
    const asked = dns.queries.length
    const real = await aDoor({ dnsbl: ['f.example'], allowLoopbackPeers: false })
    expect(await send(real)).toMatch(/^250 /)
    expect(dns.queries.slice(asked).some(({ name }) => name.endsWith('f.example'))).toBe(false)
  })
})

describe('GREYLIST', () => {
  const later = (seconds: number) => app.clock.set(secondsAfter(app.clock.now(), seconds))

  test('a stranger waits a minute once, whichever process it comes to, and is known then', async () => {
    const [one, other] = [await aDoor({ greylist: true }), await aDoor({ greylist: true })]
    const from = 'new@waits.example'
    expect(await send(one, from)).toBe(
      '450 4.2.0 This sender is not known yet; try again in 60 seconds',
    )
    later(40)
    expect(await send(other, from)).toMatch(/^450 4\.2\.0 .* in 20 seconds/)
    later(21)
    expect(await send(other, from)).toMatch(/^250 /)
    const second = await aMailbox(app)
    expect(await send(one, 'colleague@waits.example', second.email)).toMatch(/^250 /)
    expect(await send(one, 'x@third.example')).toMatch(/^450 /)
    later(37 * 24 * 3600)
    expect(await send(one, from)).toMatch(/^450 /)
  })

  test('whom the mailbox has written to never waits; others who write to it do', async () => {
    const port = await aDoor({ greylist: true })
    await wroteTo(mailbox, 'friend@known.example')
    expect(await send(port, 'Friend@known.example')).toMatch(/^250 /)
    const other = await aMailbox(app)
    expect(await send(port, 'friend@known.example', other.email)).toMatch(/^450 /)
    expect(await send(port, 'riend@known.example')).toMatch(/^450 /)
  })

  test('who passes SPF is known by its domain, from whichever address it comes', async () => {
    dns.zone('large.example')
    dns.set('large.example', 'TXT', ['v=spf1 ip4:127.0.0.0/8 -all'])
    const port = await aDoor({ greylist: true })
    const from = async (localAddress: string) => {
      const client = await anSmtpClient(port, '127.0.0.1', localAddress)
      await client.reply()
      await client.say('EHLO mx.large.example')
      await client.say('MAIL FROM:<a@large.example>')
      const reply = await client.say(`RCPT TO:<${mailbox.email}>`)
      client.close()
      return reply
    }
    expect(await from('127.0.9.1')).toMatch(/^450 /)
    later(61)
    expect(await from('127.0.10.1')).toMatch(/^250 /)
  })

  test('many who are put off are not taken for somebody who guesses addresses', async () => {
    const port = await aDoor({ greylist: true })
    const client = await anSmtpClient(port)
    await client.reply()
    await client.say('EHLO x')
    await client.say('MAIL FROM:<a@many.example>')
    for (let n = 0; n < 25; n++)
      expect(await client.say(`RCPT TO:<${mailbox.email.replace('@', `+${n}@`)}>`)).toMatch(/^450 /)
    client.close()
  })

  test('many first tries at once agree when the first one was', async () => {
    const port = await aDoor({ greylist: true })
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => send(port, 'x@race.example')),
    )
    expect(replies.every((reply) => reply.startsWith('450'))).toBe(true)
    later(61)
    const again = await Promise.all(Array.from({ length: 10 }, () => send(port, 'x@race.example')))
    expect(again.every((reply) => reply.startsWith('250'))).toBe(true)
  })

  test('off unless asked for; the operator’s own network never waits; old rows are purged', async () => {
    expect(await send(await aDoor({}), 'x@off.example')).toMatch(/^250 /)
    const real = await aDoor({ greylist: true, allowLoopbackPeers: false })
    expect(await send(real, 'x@own.example')).toMatch(/^250 /)
    expect(await send(await aDoor({ greylist: true }), 'x@purged.example')).toMatch(/^450 /)
    const rows = () => app.db.selectFrom('greylist').select('key').execute()
    expect((await rows()).length).toBeGreaterThan(0)
    later(40 * 24 * 3600)
    await purgeGreylist(app)
    expect(await rows()).toEqual([])
  })
})

const wroteTo = ({ id: mailboxId, workspaceId }: Mailbox, address: string) =>
  app.db.insertInto('correspondents').values({ mailboxId, workspaceId, address }).execute()

describe('silent and slow clients', () => {
  test('a silent one is told and closed', async () => {
    const client = await anSmtpClient(await aDoor({}, { idleMs: 200 }))
    await client.reply()
    await client.say('EHLO x')
    expect(await client.reply()).toMatch(/^421 .*Timeout/)
    await expect(client.reply()).rejects.toThrow('the connection ended')
  })

  test('one that always says a little is closed when its message is not there in time', async () => {
    const client = await anSmtpClient(await aDoor({}, { idleMs: 500, messageMs: 1_000 }))
    await client.reply()
    let last = ''
    while (!last.startsWith('421')) last = await client.say('NOOP')
    expect(last).toMatch(/^421 .*too slow/)
    client.close()
  })

  test('so is one that writes a message byte by byte', async () => {
    const client = await anSmtpClient(await aDoor({}, { idleMs: 500, messageMs: 1_000 }))
    await client.reply()
    await client.say('EHLO x')
    await client.say('MAIL FROM:<a@example.net>')
    await client.say(`RCPT TO:<${mailbox.email}>`)
    await client.say('DATA')
    const drip = setInterval(() => client.write('x'), 20)
    expect(await client.reply()).toMatch(/^421 .*too slow/)
    clearInterval(drip)
    client.close()
  })

  test('each message has its own time', async () => {
    const client = await anSmtpClient(await aDoor({}, { messageMs: 1_500 }))
    await client.reply()
    await client.say('EHLO x')
    const startedAt = performance.now()
    while (performance.now() - startedAt < 2_500) {
      await client.say('MAIL FROM:<a@example.net>')
      await client.say(`RCPT TO:<${mailbox.email}>`)
      await client.say('DATA')
      client.write(onTheWire(raw))
      expect(await client.reply()).toMatch(/^250 /)
    }
    client.close()
  })
})

test('a reverse name counts when it leads back; what cannot be asked is not held against anybody', async () => {
  const ask = (ip: string) =>
    hasReverseName(
      {
        ...app,
        dns: openDns({
          ...{ servers: [dns.address], port: dns.port, allowLoopbackPeers: true, timeoutMs: 300 },
        }),
      },
      ip,
    )
  dns.zone('in-addr.arpa')
  dns.zone('ip6.arpa')
  dns.zone('mx.example')
  dns.set('5.4.3.8.in-addr.arpa', 'PTR', ['ok.mx.example'])
  dns.set('ok.mx.example', 'A', ['8.3.4.5'])
  dns.set('6.4.3.8.in-addr.arpa', 'PTR', ['ok.mx.example'])
  const nibbles = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.8.4.1.0.0.2'
  dns.set(`${nibbles}.ip6.arpa`, 'PTR', ['six.mx.example'])
  dns.set('six.mx.example', 'AAAA', ['2001:4860:0::1'])
  dns.behave('8.8.8.8.in-addr.arpa', 'silent')
  expect(await ask('8.3.4.5')).toBe(true)
  expect(await ask('2001:4860::1')).toBe(true)
  expect(await ask('8.3.4.6')).toBe(false)
  expect(await ask('8.3.4.7')).toBe(false)
  expect(await ask('8.8.8.8')).toBe(null)
  expect(await ask('127.0.0.1')).toBe(null)
})
