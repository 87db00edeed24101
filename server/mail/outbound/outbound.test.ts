import { sql } from 'kysely'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Journey } from '#contract/mail/sending.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { claimDueDelivery } from '#server/features/outbox/claim-deliveries.ts'
import { enqueueMessage, purgeOutbox } from '#server/features/outbox/enqueue-message.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { getJourney } from '#server/features/sending/journey.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { openPresence } from '#server/storage/presence.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import { aSmtpPeer, type PeerOptions, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { type Outbound, startOutbound } from './worker.ts'

let dns: TestDns
let peer: SmtpPeer
let app: TestApp
let worker: Outbound
let who: Who
let domain: Domain
let mailbox: Mailbox
const others: SmtpPeer[] = []

beforeAll(async () => {
  dns = await aDnsServer()
  peer = await aSmtpPeer()
  app = await anApp({
    dns: openDns({
      servers: [dns.address],
      port: dns.port,
      allowLoopbackPeers: true,
      timeoutMs: 10_000,
    }),
    config: { mxPort: peer.port, systemMail: 'send' },
  })
  for (const name of ['example.net', 'example.org']) dns.zone(name)
  dns.set('example.net', 'MX', ['10 mx.example.net'])
  dns.set('mx.example.net', 'A', ['127.0.0.1'])
  who = await aMember(app)
  domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  await storeKey(app.db, domain, await makeKey(app))
  mailbox = await aMailbox(app, { domain, localPart: 'ada' })
  await letRead(app, mailbox, who.userId)
})
afterAll(async () => {
  await peer.close()
  await dns.close()
  await app.close()
})
beforeEach(() => {
  peer.behave = () => undefined
  peer.messages.length = 0
  peer.connections = 0
  worker = startOutbound(app)
})
afterEach(async () => {
  await worker.close()
  for (const other of others.splice(0)) await other.close()
  await app.db.deleteFrom('outboxMessages').execute()
  await app.db.deleteFrom('messages').execute()
})

const another = async (host: string, options: PeerOptions = {}): Promise<SmtpPeer> => {
  const made = await aSmtpPeer({ ...options, host, port: peer.port })
  others.push(made)
  return made
}

const form = { to: [] as string[], cc: [], bcc: [], subject: 'Hi', text: 'Hello', attachments: [] }
const send = (to: string[], more: object = {}) =>
  sendMessage(app, who, mailbox.id, { ...form, to, draft: false, ...more })

const enqueue = (recipient: string, mailFrom = mailbox.email) =>
  enqueueMessage(app, app.db, {
    workspaceId: mailbox.workspaceId,
    mailboxId: mailbox.id,
    mailFrom,
    recipients: [recipient],
    raw: Buffer.from('Subject: x\r\nMessage-ID: <x@y>\r\n\r\n.\r\n..\r\nbody\r\n'),
  })

const wordsOf = ({ recipient, status, steps }: Journey['deliveries'][number]) => [
  recipient,
  status,
  ...steps.map(({ text, reply }) => (reply === '' ? text : `${text} [${reply}]`)),
]

const deliveries = () => app.db.selectFrom('deliveries').selectAll().orderBy('recipient').execute()
const ledger = () => app.db.selectFrom('deliveryAttempts').selectAll().orderBy('at').execute()
const inbox = () =>
  app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .selectAll('messages')
    .where('folders.role', '=', 'inbox')
    .execute()

/** Reads again after each notification of the database, and shortly after. */
const until = async <T>(look: () => Promise<T>, isIt: (seen: T) => boolean): Promise<T> => {
  for (let n = 0; n < 5_000; n++) {
    const seen = await look()
    if (isIt(seen)) return seen
    await new Promise((done) => setTimeout(done, 20))
  }
  throw new Error(`never came: ${JSON.stringify(await look())}`)
}
const attempted = (count: number) => until(ledger, (rows) => rows.length >= count)

describe('sending', () => {
  test('a composed mail reaches the MX, signed so that a library that did not sign it agrees', async () => {
    const summary = await send(['Bob <bob@example.net>'], {
      bcc: ['secret@example.net'],
      subject: 'Grüße an alle',
      text: '',
      html: '<p>Hallo <img src="data:image/png;base64,iVBORw0KGgo="></p>',
      attachments: [{ filename: 'a "b".txt', contentType: 'text/plain', content: 'aGVsbG8=' }],
    })
    expect(summary).toMatchObject({ subject: 'Grüße an alle', isRead: true, hasAttachments: true })
    const messages = await peer.arrived(2)
    expect(messages.map(({ to }) => to[0]).sort()).toEqual([
      'bob@example.net',
      'secret@example.net',
    ])
    const [message] = messages
    expect(message?.from).toBe(mailbox.email)
    const raw = message?.raw ?? Buffer.alloc(0)
    expect(raw.toString()).not.toContain('secret@')
    expect(raw.toString()).toMatch(/^Message-ID: <[^>]+@/im)
    expect(raw.toString()).toContain('src=3D"cid:')
    const [key] = await app.db.selectFrom('domainKeys').selectAll().execute()
    const verified = await dkimVerify(raw, {
      resolver: async (name: string) => {
        expect(name).toBe(`${key?.selector}._domainkey.${domain.name}`)
        return [[`v=DKIM1; k=rsa; p=${key?.publicKey}`]]
      },
    })
    expect(verified.results.map(({ status }) => status.result)).toEqual(['pass'])
    const signed = /h=([^;]+);/.exec(raw.toString())?.[1]?.split(':') ?? []
    for (const name of ['from', 'subject', 'to', 'date', 'content-type', 'message-id'])
      expect(
        signed.filter((field) => field === name),
        name,
      ).toHaveLength(2)
    const rows = await until(deliveries, (all) => all.every(({ status }) => status === 'delivered'))
    expect(rows).toHaveLength(2)
    expect(await ledger()).toHaveLength(2)
    expect((await ledger())[0]).toMatchObject({
      host: 'mx.example.net',
      ip: '127.0.0.1',
      code: 250,
    })
  })

  test('bytes arrive as they were queued, dots and all', async () => {
    await enqueue('bob@example.net')
    const [message] = await peer.arrived(1)
    expect(message?.raw.toString()).toBe(
      'Subject: x\r\nMessage-ID: <x@y>\r\n\r\n.\r\n..\r\nbody\r\n',
    )
  })

  test('TLS where it is offered, plain where it turns out broken', async () => {
    dns.set('tls.example.org', 'MX', ['10 mx2.example.org'])
    dns.set('mx2.example.org', 'A', ['127.0.0.2'])
    const secure = await another('127.0.0.2', {
      tls: selfSigned('mx2.example.org', new Date(), 10),
    })
    await enqueue('bob@tls.example.org')
    expect((await secure.arrived(1))[0]?.isTls).toBe(true)
    expect((await attempted(1))[0]?.isTls).toBe(true)
    dns.set('broken.example.org', 'A', ['127.0.0.3'])
    const broken = await another('127.0.0.3', { tls: 'broken' })
    await enqueue('bob@broken.example.org')
    expect((await broken.arrived(1))[0]?.isTls).toBe(false)
  })

  test('system mail is signed for MAIL_HOST and carries its link whole', async () => {
    const link = `http://localhost:8080/verify-email?token=${'a'.repeat(86)}`
    await sendSystemMail(app, app.db, {
      to: 'new@example.net',
      subject: 'Please verify',
      text: 'Welcome',
      html: `<a href="${link}">Verify</a>`,
      link,
    })
    const raw = (await peer.arrived(1))[0]?.raw ?? Buffer.alloc(0)
    const { text } = await PostalMime.parse(raw)
    expect(text?.split('\n')).toContain(link)
    expect(raw.toString()).not.toMatch(/Content-Transfer-Encoding: (base64|8bit)/)
    const [key] = await app.db.selectFrom('systemKeys').selectAll().execute()
    const { results } = await dkimVerify(raw, {
      resolver: async () => [[`v=DKIM1; k=rsa; p=${key?.publicKey}`]],
    })
    expect(results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
      ['pass', app.config.mailHost],
    ])
  })

  test('local mail does not leave the machine', async () => {
    const other = await aMailbox(app)
    await send([other.email])
    const [message] = await until(inbox, (rows) => rows.length === 1)
    expect(message).toMatchObject({ mailboxId: other.id, subject: 'Hi' })
    expect(peer.connections).toBe(0)
    expect(await ledger()).toMatchObject([{ host: 'local', outcome: 'delivered' }])
  })
})

describe('where to', () => {
  test('a host that is away or closed is passed over for the next', async () => {
    dns.set('two.example.org', 'MX', [
      '20 mx.example.net',
      '10 closed.example.org',
      '5 away.example.org',
    ])
    dns.set('closed.example.org', 'A', ['127.0.0.4'])
    dns.set('away.example.org', 'A', ['127.0.0.5'])
    await another('127.0.0.4', { behave: (stage) => (stage === 'connect' ? '554 no' : undefined) })
    await enqueue('bob@two.example.org')
    await peer.arrived(1)
    expect((await attempted(3)).map(({ host, outcome }) => [host, outcome])).toEqual([
      ['away.example.org', 'deferred'],
      ['closed.example.org', 'deferred'],
      ['mx.example.net', 'delivered'],
    ])
  })

  test('without MX the domain itself; with the null MX nobody, at once', async () => {
    dns.set('plain.example.org', 'A', ['127.0.0.1'])
    await enqueue('bob@plain.example.org')
    await peer.arrived(1)
    dns.set('null.example.org', 'MX', ['0 .'])
    await enqueue('bob@null.example.org')
    const [message] = await until(inbox, (rows) => rows.length === 1)
    expect(message?.subject).toBe('Not delivered to bob@null.example.org')
    expect(message?.mailFrom).toBe('')
  })

  test('a private address is not dialled where loopback peers are not allowed', async () => {
    const strict = { ...app, config: { ...app.config, allowLoopbackPeers: false } }
    await worker.close()
    worker = startOutbound(strict)
    await enqueue('bob@example.net')
    expect((await attempted(1))[0]).toMatchObject({ outcome: 'failed', ip: '' })
    expect(peer.connections).toBe(0)
  })

  test('RELAY_URL takes all that is foreign', async () => {
    const relayUrl = `smtp://127.0.0.1:${peer.port}`
    await worker.close()
    worker = startOutbound({ ...app, config: { ...app.config, relayUrl } })
    await enqueue('bob@nowhere.example')
    expect((await peer.arrived(1))[0]?.to).toEqual(['bob@nowhere.example'])
  })
})

describe('when it does not go well', () => {
  test('4xx: again within a minute, then delivered, once', async () => {
    peer.behave = (stage) => (stage === 'rcpt' ? '451 4.7.1 greylisted' : undefined)
    await enqueue('bob@example.net')
    await attempted(1)
    const [waiting] = await until(deliveries, ([row]) => row?.status === 'queued')
    expect(waiting).toMatchObject({ attempts: 1, lastReply: '451 4.7.1 greylisted' })
    const waitMs = (waiting?.nextAttemptAt.getTime() ?? 0) - app.clock.now().getTime()
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(60_000)
    expect(peer.messages).toHaveLength(0)
    peer.behave = () => undefined
    app.clock.advance({ seconds: 60 })
    await worker.close()
    worker = startOutbound(app)
    await peer.arrived(1)
    const [done] = await until(deliveries, ([row]) => row?.status === 'delivered')
    expect(done?.attempts).toBe(2)
    expect((await ledger()).map(({ outcome }) => outcome)).toEqual(['deferred', 'delivered'])
  })

  test('a clock that is set back by a day leaves no mail waiting for the wrong day', async () => {
    await worker.close()
    const nextAttemptAt = new Date(app.clock.now().getTime() + 24 * 3600_000)
    await enqueue('bob@example.net')
    await app.db.updateTable('deliveries').set({ attempts: 1, nextAttemptAt }).execute()
    worker = startOutbound(app)
    expect((await peer.arrived(1))[0]?.to).toEqual(['bob@example.net'])
  })

  test('5xx: one bounce in the Inbox that says why, and no more attempts', async () => {
    const told: (string | null)[] = []
    await app.listener.subscribe(CHANGED_CHANNEL, (payload) => told.push(payload))
    peer.behave = (stage) => (stage === 'rcpt' ? '550 5.1.1 no such user' : undefined)
    await send(['gone@example.net'])
    const [bounce] = await until(inbox, (rows) => rows.length === 1)
    const raw = (await app.blobs.get(bounce?.blob ?? '')).toString()
    expect(raw).toMatch(/multipart\/report;\s+report-type=delivery-status/)
    expect(raw).toContain('Final-Recipient: rfc822; gone@example.net')
    expect(raw).toContain('Status: 5.1.1')
    expect(raw).toContain('Diagnostic-Code: smtp; 550 5.1.1 no such user')
    expect((await deliveries())[0]?.status).toBe('failed')
    app.clock.advance({ days: 1 })
    await worker.close()
    worker = startOutbound(app)
    await enqueue('after@example.net')
    await until(deliveries, (rows) => rows.every(({ status }) => status === 'failed'))
    expect(await ledger()).toHaveLength(2)
    expect(await inbox()).toHaveLength(2)
    expect(told.some((payload) => payload?.includes('messages'))).toBe(true)
  })

  test('system mail and bounces are never bounced', async () => {
    peer.behave = (stage) => (stage === 'rcpt' ? '550 no' : undefined)
    await enqueue('bob@example.net', '')
    await sendSystemMail(app, app.db, {
      to: 'a@example.net',
      subject: 's',
      text: 't',
      html: 'h',
      link: null,
    })
    await until(deliveries, (rows) => rows.filter((r) => r.status === 'failed').length === 2)
    expect(await inbox()).toEqual([])
  })

  test('the journey of a message tells each step at each recipient, and what comes next', async () => {
    let isGreylisting = true
    peer.behave = (stage, line) => {
      if (stage !== 'rcpt') return undefined
      if (line.includes('gone@')) return '550 5.1.1 no such user'
      return isGreylisting ? '451 4.7.1 greylisted' : undefined
    }
    const { _id } = await send(['gone@example.net', 'slow@example.net', mailbox.email])
    const isSettled = (rows: { status: string }[]) =>
      rows.every(({ status }) => status !== 'sending')
    await attempted(3)
    await until(deliveries, isSettled)
    const words = async () => {
      const { steps, deliveries: told } = await getJourney(app, who, mailbox.id, _id)
      return [steps.map(({ text }) => text), ...told.map(wordsOf)]
    }
    const start = [`Accepted from ${mailbox.email}, signed for ${domain.name} and queued.`]
    const here = [mailbox.email, 'delivered', 'Delivered to the mailbox, which is on this server.']
    const refused = 'mx.example.net refused the message for good. [550 5.1.1 no such user]'
    const deferred = 'mx.example.net asked for another try later. [451 4.7.1 greylisted]'
    const next = 'The next try. The message is kept here until then.'
    expect(await words()).toEqual([
      start,
      here,
      ['gone@example.net', 'failed', refused],
      ['slow@example.net', 'queued', deferred, next],
    ])

    isGreylisting = false
    app.clock.advance({ seconds: 60 })
    await worker.close()
    worker = startOutbound(app)
    await until(deliveries, (rows) => rows.every(({ finishedAt }) => finishedAt !== null))
    const [, , , slow] = await words()
    expect(slow?.slice(0, 3)).toEqual(['slow@example.net', 'delivered', deferred])
    expect(slow?.[3]).toMatch(
      /^mx.example.net took the message over an (un)?encrypted connection\./,
    )
    expect(slow).toHaveLength(4)
    const [copy] = await inbox()
    await expect(getJourney(app, who, mailbox.id, copy?.id ?? '')).resolves.toEqual({
      steps: [],
      deliveries: [],
    })
    await expect(getJourney(app, await aMember(app), mailbox.id, _id)).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
  })

  test('after five days it is given up', async () => {
    peer.behave = (stage) => (stage === 'mail' ? '452 4.3.1 full' : undefined)
    await enqueue('bob@example.net')
    await attempted(1)
    await until(deliveries, ([row]) => row?.status === 'queued')
    app.clock.advance({ days: 5 })
    await worker.close()
    worker = startOutbound(app)
    const [bounce] = await until(inbox, (rows) => rows.length === 1)
    expect((await app.blobs.get(bounce?.blob ?? '')).toString()).toContain('Status: 5.4.7')
  })

  test('a mail whose text is lost here waits for it, and its sender hears of it after five days', async () => {
    await worker.close()
    await enqueue('bob@example.net')
    await app.db
      .updateTable('outboxMessages')
      .set({ blob: 'a'.repeat(64) })
      .execute()
    worker = startOutbound(app)
    await attempted(1)
    await until(deliveries, ([row]) => row?.status === 'queued')
    expect(await inbox()).toEqual([])
    app.clock.advance({ days: 5 })
    await worker.close()
    worker = startOutbound(app)
    const [bounce] = await until(inbox, (rows) => rows.length === 1)
    const text = (await app.blobs.get(bounce?.blob ?? '')).toString()
    expect(text).toContain('The reason: The text of this message is missing on this server')
    expect(await deliveries()).toMatchObject([{ status: 'failed' }])
    expect(peer.messages).toEqual([])
  })

  test.each([
    ['silence at the greeting', 'connect', 'stall'],
    ['silence at RCPT', 'rcpt', 'stall'],
    ['the line cut in the middle of the mail', 'content', 'cut'],
    ['silence after the final dot', 'dot', 'stall'],
    ['a refusal for now after the final dot', 'dot', '451 later'],
  ] as const)('%s: deferred', async (_name, at, how) => {
    await worker.close()
    worker = startOutbound(app, { greetingMs: 300, idleMs: 300 })
    peer.behave = (stage) => (stage === at ? how : undefined)
    await enqueue('bob@example.net')
    expect((await attempted(1))[0]?.outcome).toBe('deferred')
    await until(deliveries, ([row]) => row?.status === 'queued')
    expect(peer.messages).toEqual([])
  })

  test('the line cut after the final dot is the only way to a second copy', async () => {
    peer.behave = (stage) => (stage === 'dot' ? 'cut' : undefined)
    await enqueue('bob@example.net')
    await attempted(1)
    await until(deliveries, ([row]) => row?.status === 'queued')
    peer.behave = () => undefined
    app.clock.advance({ seconds: 60 })
    await worker.close()
    worker = startOutbound(app)
    await until(deliveries, ([row]) => row?.status === 'delivered')
    expect(peer.messages).toHaveLength(2)
  })
})

test('the outbox forgets what ended a month ago, and nothing that still waits', async () => {
  await enqueue('bob@example.net')
  await until(deliveries, ([row]) => row?.status === 'delivered')
  peer.behave = () => '451 later'
  await enqueue('waits@example.net')
  await attempted(2)
  await purgeOutbox(app)
  expect(await deliveries()).toHaveLength(2)
  await until(deliveries, (rows) => rows.every(({ status }) => status !== 'sending'))
  await worker.close()
  app.clock.advance({ days: 31 })
  await purgeOutbox(app)
  expect((await deliveries()).map(({ recipient }) => recipient)).toEqual(['waits@example.net'])
  expect(await ledger()).toHaveLength(1)
})

describe('many workers', () => {
  test('each mail is sent once', async () => {
    const more = [1, 2, 3].map(() => startOutbound(app))
    await Promise.all(Array.from({ length: 40 }, (_, n) => enqueue(`user${n}@example.net`)))
    await peer.arrived(40)
    await until(deliveries, (rows) => rows.every(({ status }) => status === 'delivered'))
    for (const one of more) await one.close()
    expect(new Set(peer.messages.map(({ to }) => to[0])).size).toBe(40)
    expect(peer.messages).toHaveLength(40)
  })

  test('what a dead worker had claimed is taken over, and nothing of one that lives', async () => {
    await worker.close()
    await enqueue('dead@example.net')
    await enqueue('alive@example.net')
    const held = Promise.withResolvers<void>()
    const alive = openPresence(app.connection, held.resolve, () => {})
    await held.promise
    const [dead, living] = [1_000_000, alive.number() ?? 0]
    for (const by of [dead, living]) expect(await claimDueDelivery(app, by, [])).toBeDefined()
    worker = startOutbound(app)
    expect((await peer.arrived(1))[0]?.to).toEqual(['dead@example.net'])
    await until(deliveries, (rows) => rows.some(({ status }) => status === 'delivered'))
    expect((await deliveries()).map(({ claimedBy }) => claimedBy)).toContain(living)
    await alive.close()
    expect((await peer.arrived(2))[1]?.to).toEqual(['alive@example.net'])
  })

  test('a mail whose claim is lost before its final dot is not sent to its end', async () => {
    let times = 0
    peer.behave = (stage) => {
      times += stage === 'data' ? 1 : 0
      if (stage !== 'data' || times > 1) return undefined
      const dead = { claimedBy: 1_000_000 }
      return { after: app.db.updateTable('deliveries').set(dead).execute() }
    }
    await enqueue('once@example.net')
    await until(deliveries, (rows) => rows.every(({ status }) => status === 'delivered'))
    expect(times).toBe(2)
    expect(peer.messages).toHaveLength(1)
    expect(await ledger()).toHaveLength(1)
  })

  test('what was sent is written in the end, and not sent again, when the database breaks off then', async () => {
    let sent = 0
    peer.behave = (stage) => {
      sent += stage === 'dot' ? 1 : 0
      return undefined
    }
    await app.db.transaction().execute(async (tx) => {
      await sql`lock table delivery_attempts in share mode`.execute(tx)
      await enqueue('once@example.net')
      const endWriter = async () =>
        (
          await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
        ).rows
      await until(endWriter, (ended) => ended.length === 1)
    })
    await until(deliveries, (rows) => rows.every(({ status }) => status === 'delivered'))
    expect(sent).toBe(1)
    expect(await ledger()).toHaveLength(1)
  })
})

test('each attempt has a line in the log: delivered, deferred, bounced', async () => {
  const last = (event: 'mail-delivered' | 'mail-deferred' | 'mail-bounced') =>
    app.logged(event).at(-1)
  await enqueue('log-good@example.net')
  const facts = { from: mailbox.email, workspaceId: mailbox.workspaceId, ip: '127.0.0.1' }
  await expect
    .poll(() => last('mail-delivered'))
    .toMatchObject({ ...facts, to: 'log-good@example.net', attempts: 1, host: 'mx.example.net' })
  peer.behave = (stage) => (stage === 'rcpt' ? '550 5.1.1 no such user' : undefined)
  await enqueue('log-bad@example.net')
  await expect
    .poll(() => last('mail-bounced'))
    .toMatchObject({ ...facts, to: 'log-bad@example.net', reply: '550 5.1.1 no such user' })
  peer.behave = (stage) => (stage === 'rcpt' ? '451 4.2.0 later' : undefined)
  await enqueue('log-late@example.net')
  await expect
    .poll(() => last('mail-deferred'))
    .toMatchObject({ ...facts, to: 'log-late@example.net', reply: '451 4.2.0 later' })
})
