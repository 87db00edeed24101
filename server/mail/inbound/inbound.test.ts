import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readStructure } from '#server/standards/mime/structure/read-structure.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type Mailbox } from '#test-world/builders.ts'
import { anSmtpClient, onTheWire, sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

let app: TestApp
let inbound: Awaited<ReturnType<typeof openInbound>>
let mailbox: Mailbox

beforeAll(async () => {
  app = await anApp()
  inbound = await openInbound(app)
})
afterAll(async () => {
  await inbound.close()
  await app.close()
})
beforeEach(async () => {
  mailbox = await aMailbox(app, { localPart: 'ada' })
})

const letter = (subject: string, body = 'Hello\r\n') =>
  `From: Sender <sender@example.net>\r\nTo: ada\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.net>\r\n\r\n${body}`

const stored = async (id = mailbox.id) => {
  const rows = await app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .selectAll('messages')
    .select('folders.role')
    .where('messages.mailboxId', '=', id)
    .orderBy('uid')
    .execute()
  return Promise.all(rows.map(async (row) => ({ ...row, raw: await app.blobs.get(row.blob) })))
}

test('the structure of a mail has the places of the bytes that are stored, also of a large one', async () => {
  const file = Buffer.from('a line of a file\n'.repeat(50_000)).toString('base64')
  const large = [
    'Content-Type: multipart/mixed; boundary=b',
    'Authentication-Results: mail.mailstead.test; spf=pass',
    ...['', '--b', 'Content-Type: text/plain', '', 'Hello', '--b'],
    'Content-Disposition: attachment; filename=lines.txt',
    ...['Content-Transfer-Encoding: base64', '', ...(file.match(/.{1,76}/g) ?? []), '--b--', ''],
  ].join('\r\n')
  const header = 'From: Sender <sender@example.net>\r\nSubject: large\r\n'
  for (const raw of [letter('small'), `${header}${large}`])
    expect(await sendMail(inbound.port, { to: mailbox.email, raw })).toMatch(/^250 /)
  const mails = await stored()
  const rows = await app.db
    .selectFrom('messageStructures')
    .select(['messageId', 'structure'])
    .where('mailboxId', '=', mailbox.id)
    .execute()
  const structures = new Map(rows.map((row) => [row.messageId, row.structure]))
  expect(mails).toHaveLength(2)
  for (const { id, raw } of mails)
    expect(JSON.parse(structures.get(id) ?? '')).toEqual(
      JSON.parse(JSON.stringify(readStructure(raw))),
    )
})

describe('who gets mail', () => {
  const statusOf = async (to: string) => sendMail(inbound.port, { to, raw: letter('who') })

  test('a mailbox in any case and with a tag; a suspended one too; an inactive one not', async () => {
    const { email } = mailbox
    const domain = email.split('@')[1]
    expect(await statusOf(email.toUpperCase())).toMatch(/^250 /)
    expect(await statusOf(`ada+news@${domain}`)).toMatch(/^250 /)
    const suspended = await aMailbox(app, { status: 'suspended' })
    expect(await statusOf(suspended.email)).toMatch(/^250 /)
    const inactive = await aMailbox(app, { status: 'inactive' })
    expect(await statusOf(inactive.email)).toMatch(/^550 5\.1\.1 /)
    expect(await stored()).toHaveLength(2)
    expect(await stored(inactive.id)).toHaveLength(0)
  })

  test('a domain that is inactive still receives; one that is only claimed does not', async () => {
    const broken = await aDomain(app, { verified: true, active: false })
    const ada = await aMailbox(app, { domain: broken })
    expect(await statusOf(ada.email)).toMatch(/^250 /)
    const claimed = await aDomain(app)
    const eve = await aMailbox(app, { domain: claimed })
    expect(await statusOf(eve.email)).toMatch(/^550 5\.7\.1 /)
  })

  test('an unknown address of ours is refused, and nothing is relayed', async () => {
    const domain = mailbox.email.split('@')[1]
    expect(await statusOf(`nobody@${domain}`)).toMatch(/^550 5\.1\.1 /)
    for (const foreign of [
      'someone@example.com',
      `ada%${domain}@example.com`,
      `someone@sub.${domain}`,
    ])
      expect(await statusOf(foreign), foreign).toMatch(/^550 5\.7\.1 /)
    for (const odd of [`"ada"@${domain}`, `ada@${domain}.`, '@a,@b:ada@example.com', 'ada', ''])
      expect(await statusOf(odd), odd).toMatch(/^5/)
    expect(await app.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })

  test('one copy for a recipient that is named twice, one each for two', async () => {
    const other = await aMailbox(app)
    const domain = mailbox.email.split('@')[1]
    const to = [mailbox.email, mailbox.email, `ada+x@${domain}`, other.email]
    expect(await sendMail(inbound.port, { to, raw: letter('twice') })).toMatch(/^250 /)
    expect(await stored()).toHaveLength(1)
    expect(await stored(other.id)).toHaveLength(1)
  })

  test('postmaster@ reaches the Admins by a copy from us, and refuses while there is none', async () => {
    const user = await aUser(app, { email: 'boss@example.org' })
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
    expect(await statusOf(`postmaster@${domain.name}`)).toMatch(/^250 /)
    const [delivery] = await app.db.selectFrom('deliveries').selectAll().execute()
    expect(delivery).toMatchObject({ recipient: 'boss@example.org', status: 'queued' })
    expect(await statusOf(`abuse@${mailbox.email.split('@')[1]}`)).toMatch(/^450 4\.2\.1 /)
    await app.db.deleteFrom('outboxMessages').execute()
  })

  test('no network has more than ten mails an hour passed on to the Admins', async () => {
    const user = await aUser(app, { email: 'chief@example.org' })
    const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
    const { name } = await aDomain(app, { workspaceId: workspace.id, active: true })
    for (let n = 0; n < 10; n++) expect(await statusOf(`abuse@${name}`)).toMatch(/^250 /)
    expect(await statusOf(`postmaster@${name}`)).toMatch(/^450 4\.7\.1 /)
    await app.db.deleteFrom('outboxMessages').execute()
  })
})

describe('mail for postmaster@ of MAIL_HOST', () => {
  const readerOfHost = async (config: Partial<TestApp['config']>) => {
    const hosted = { ...app, config: { ...app.config, ...config } }
    const door = await openInbound(hosted)
    const to = `postmaster@${app.config.mailHost}`
    expect(await sendMail(door.port, { to, raw: letter('host') })).toMatch(/^250 /)
    await door.close()
    const deliveries = await app.db.selectFrom('deliveries').selectAll().execute()
    await app.db.deleteFrom('outboxMessages').execute()
    return deliveries.map(({ recipient }) => recipient)
  }

  test('reaches OPERATOR_MAIL, or else who signed up first', async () => {
    const first = new Date('2020-01-01T00:00:00Z')
    await aUser(app, { email: 'first@example.org', createdAt: first, verifiedAt: first })
    expect(await readerOfHost({})).toEqual(['first@example.org'])
    expect(await readerOfHost({ operatorMail: 'ops@example.org' })).toEqual(['ops@example.org'])
  })
})

describe('what is stored', () => {
  test('the message byte for byte behind our trace fields, with its place in the folder', async () => {
    const raw = letter('bytes', `..dot\r\n.\tx\r\n\xe9\xff 8 bit\r\n${'long '.repeat(300)}\r\n`)
    const bytes = Buffer.from(raw, 'latin1')
    expect(await sendMail(inbound.port, { to: mailbox.email, raw: bytes })).toMatch(/^250 2\.6\.0 /)
    const [message] = await stored()
    expect(message?.raw.subarray(-bytes.length).equals(bytes)).toBe(true)
    const trace = message?.raw.subarray(0, -bytes.length).toString() ?? ''
    expect(trace).toMatch(
      /^Return-Path: <sender@example\.net>\r\nReceived: from peer\.example\.net \(\[127\.0\.0\.1\]\)/,
    )
    expect(trace).toContain(`for <${mailbox.email}>`)
    expect(trace).toMatch(/\r\nAuthentication-Results: mail\.mailstead\.test;/)
    expect(message).toMatchObject({ subject: 'bytes', role: 'inbox', uid: 1, isRead: false })
    expect(message?.from).toEqual({ name: 'Sender', address: 'sender@example.net' })
    const box = await app.db
      .selectFrom('mailboxes')
      .select('usedBytes')
      .where('id', '=', mailbox.id)
      .executeTakeFirst()
    expect(box?.usedBytes).toBe(message?.raw.length)
  })

  const longest = `g@${['a', 'b', 'c'].map((char) => char.repeat(63)).join('.')}.${'d'.repeat(60)}`
  test.each([
    ['in quotes, with a space', '"Grace H"@example.net'],
    ['of 254 bytes', longest],
  ])('a sender %s is kept as it was given', async (_name, from) => {
    expect(await sendMail(inbound.port, { from, to: mailbox.email, raw: letter('x') })).toMatch(
      /^250 /,
    )
    const [message] = await stored()
    expect(message?.raw.toString()).toContain(`Return-Path: <${from}>\r\n`)
  })

  test('a sender whose quotes never end is none', async () => {
    const unbalanced = { from: '"grace@example.net', to: mailbox.email, raw: letter('x') }
    expect(await sendMail(inbound.port, unbalanced)).toMatch(/^501 /)
  })

  test('a forged verdict under our name is taken out, others stay', async () => {
    const forged =
      'Authentication-Results: (x) MAIL.mailstead.test;\r\n dkim=pass\r\nAuthentication-Results: other.example; spf=pass\r\n'
    await sendMail(inbound.port, { to: mailbox.email, raw: forged + letter('forged') })
    const text = (await stored())[0]?.raw.toString() ?? ''
    expect(text.match(/^authentication-results: .*mail\.mailstead\.test/gim)).toHaveLength(1)
    expect(text).not.toContain('dkim=pass')
    expect(text).toContain('other.example; spf=pass')
  })

  test('uids, counters and bytes are right after many at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        sendMail(inbound.port, { to: mailbox.email, raw: letter(`many${n}`) }),
      ),
    )
    expect(replies.every((reply) => reply.startsWith('250'))).toBe(true)
    const messages = await stored()
    expect(messages.map(({ uid }) => uid)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1))
    const inbox = await app.db
      .selectFrom('folders')
      .selectAll()
      .where('mailboxId', '=', mailbox.id)
      .where('role', '=', 'inbox')
      .executeTakeFirst()
    expect(inbox).toMatchObject({ messageCount: 24, unreadCount: 24, uidNext: 25 })
  })

  test('an answer joins the thread of the message it answers', async () => {
    await sendMail(inbound.port, { to: mailbox.email, raw: letter('first') })
    const answer = `References: <first@example.net>\r\nIn-Reply-To: <first@example.net>\r\n${letter('second')}`
    await sendMail(inbound.port, { to: mailbox.email, raw: answer })
    const [first, second] = await stored()
    expect(second?.threadId).toBe(first?.threadId)
  })

  test('NUL and broken characters in encoded words and text do not break storing', async () => {
    const raw = `Subject: =?utf-8?B?YQBi?= =?utf-16le?B?ANg=?=\r\nFrom: =?utf-8?B?AA==?= <a@example.net>\r\nContent-Transfer-Encoding: base64\r\n\r\nAEEA\r\n`
    expect(await sendMail(inbound.port, { to: mailbox.email, raw })).toMatch(/^250 /)
    expect(await stored()).toHaveLength(1)
  })
})

describe('what is refused', () => {
  const to = () => mailbox.email

  test.each([
    ['LF.LF', 'a\n.\nb'],
    ['CR.CR', 'a\r.\rb'],
    ['CR.LF', 'a\r.\nb'],
    ['LF.CR', 'a\n.\rb'],
    ['LF.CRLF', 'a\n.\r\nb'],
    ['CRLF.LF', 'a\r\n.\nb'],
    ['CR.CRLF', 'a\r.\r\nb'],
    ['CRLF.CR', 'a\r\n.\rb'],
    ['CRLF NUL.CRLF', 'a\r\n\0.\r\nb'],
    ['CRLF.NUL CRLF', 'a\r\n.\0\r\nb'],
    ['a bare LF', 'a\nb'],
    ['a bare CR', 'a\rb'],
    ['NUL', 'a\0b'],
  ])('%s neither ends a message nor is stored, wherever TCP cuts', async (_name, ending) => {
    const smuggled = `MAIL FROM:<evil@example.net>\r\nRCPT TO:<${to()}>\r\nDATA\r\n${letter('smuggled')}`
    const wire = Buffer.from(`${letter('outer')}${ending}\r\n${smuggled}\r\n.\r\n`, 'latin1')
    const at = wire.indexOf(ending, 0, 'latin1')
    for (const cut of [0, at, at + 1, at + 2, at + 3, at + 4]) {
      const client = await anSmtpClient(inbound.port)
      await client.reply()
      await client.say('EHLO peer.example.net')
      await client.say('MAIL FROM:<sender@example.net>')
      await client.say(`RCPT TO:<${to()}>`)
      await client.say('DATA')
      client.write(wire.subarray(0, cut))
      await new Promise((done) => setImmediate(done))
      client.write(wire.subarray(cut))
      expect(await client.reply()).toMatch(/^554 5\.6\.0 /)
      // The next reply answers NOOP: there was only one message.
      expect(await client.say('NOOP')).toMatch(/^250 /)
      client.close()
    }
    expect(await stored()).toEqual([])
  })

  test('more than 25 MB, declared or not', async () => {
    const client = await anSmtpClient(inbound.port)
    await client.reply()
    expect(await client.say('EHLO x')).toContain('SIZE 25000000')
    expect(await client.say('MAIL FROM:<a@example.net> SIZE=25000001')).toMatch(/^552 /)
    client.close()
    const big = letter('big', `${'x'.repeat(998)}\r\n`.repeat(25_001))
    expect(await sendMail(inbound.port, { to: to(), raw: big })).toMatch(/^552 5\.3\.4 /)
    expect(await stored()).toEqual([])
  })

  test('the 101st recipient, 51 hops, parts nested 101 deep', async () => {
    const domain = mailbox.email.split('@')[1]
    const many = Array.from({ length: 101 }, (_, n) => `ada+${n}@${domain}`)
    expect(await sendMail(inbound.port, { to: many, raw: letter('many') })).toMatch(/^452 4\.5\.3 /)
    const hop = 'Received: from a by b; Fri, 20 Nov 2026 12:00:00 +0000\r\n'
    expect(
      await sendMail(inbound.port, { to: to(), raw: hop.repeat(51) + letter('hops') }),
    ).toMatch(/^554 5\.4\.6 /)
    expect(
      await sendMail(inbound.port, { to: to(), raw: hop.repeat(50) + letter('hops') }),
    ).toMatch(/^250 /)
    const nested = Array.from(
      { length: 102 },
      (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
    ).join('')
    expect(await sendMail(inbound.port, { to: to(), raw: nested })).toMatch(/^554 5\.6\.0 /)
  })

  test('AUTH is not offered; STARTTLS is, and what was sent before the handshake is dropped', async () => {
    const client = await anSmtpClient(inbound.port)
    await client.reply()
    const offered = await client.say('EHLO peer.example.net')
    expect(offered).toContain('STARTTLS')
    expect(offered).not.toContain('AUTH')
    expect(await client.say('AUTH PLAIN AGEAYg==')).toMatch(/^5/)
    client.write('STARTTLS\r\nMAIL FROM:<injected@example.net>\r\n')
    expect(await client.reply()).toMatch(/^220 /)
    await client.startTls()
    expect(await client.say('NOOP')).toMatch(/^250 /)
    expect(await client.say('MAIL FROM:<a@example.net>')).toMatch(/^503 /)
    expect(await client.say('EHLO peer.example.net')).not.toContain('STARTTLS')
    await client.say('MAIL FROM:<a@example.net>')
    await client.say(`RCPT TO:<${to()}>`)
    await client.say('DATA')
    client.write(onTheWire(letter('tls')))
    expect(await client.reply()).toMatch(/^250 /)
    client.close()
    expect((await stored())[0]?.raw.toString()).toContain('with ESMTPS id')
  })

  test('mail for a workspace whose storage is full, for now', async () => {
    const workspace = await aWorkspace(app, { storageQuotaBytes: 5_000 })
    const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
    const full = await aMailbox(app, { domain })
    const declare = async (bytes: number) => {
      const client = await anSmtpClient(inbound.port)
      await client.reply()
      await client.say('EHLO x')
      await client.say(`MAIL FROM:<a@example.net> SIZE=${bytes}`)
      const reply = await client.say(`RCPT TO:<${full.email}>`)
      client.close()
      return reply
    }
    expect(await declare(5_000)).toMatch(/^250 /)
    expect(await declare(5_001)).toMatch(/^452 4\.2\.2 /)
    const large = letter('large', `${'x'.repeat(70)}\r\n`.repeat(100))
    // Without a declared size it is found at the end of the message.
    expect(await sendMail(inbound.port, { to: full.email, raw: large })).toMatch(/^452 4\.2\.2 /)
    expect(await sendMail(inbound.port, { to: full.email, raw: letter('small') })).toMatch(/^250 /)
    expect(await stored(full.id)).toHaveLength(1)
  })

  test('one network does not take the places of all others', async () => {
    const open = () => anSmtpClient(inbound.port)
    const held = await Promise.all(Array.from({ length: 50 }, open))
    for (const client of held) expect(await client.reply()).toMatch(/^220 /)
    const greedy = await open()
    expect(await greedy.reply()).toMatch(/^421 /)
    const other = await anSmtpClient(inbound.port, '127.0.0.1', '127.0.0.2')
    expect(await other.reply()).toMatch(/^220 /)
    for (const client of [...held, greedy, other]) client.close()
    // A place is free as soon as its client leaves.
    await vi.waitFor(async () => {
      const again = await open()
      const greeting = await again.reply()
      again.close()
      expect(greeting).toMatch(/^220 /)
    })
  })

  test('addresses are not guessed without end', async () => {
    const client = await anSmtpClient(inbound.port)
    await client.reply()
    await client.say('EHLO x')
    await client.say('MAIL FROM:<a@example.net>')
    const domain = mailbox.email.split('@')[1]
    let last = ''
    for (let n = 0; n < 21; n++) last = await client.say(`RCPT TO:<guess${n}@${domain}>`)
    expect(last).toMatch(/^421 /)
    client.close()
  })
})

describe('trouble on our side is the sender’s to retry', () => {
  test('a client that leaves in the middle leaves nothing behind', async () => {
    const client = await anSmtpClient(inbound.port)
    await client.reply()
    await client.say('EHLO x')
    await client.say('MAIL FROM:<a@example.net>')
    await client.say(`RCPT TO:<${mailbox.email}>`)
    await client.say('DATA')
    client.write('Subject: half\r\n\r\nhal')
    client.close()
    expect(await sendMail(inbound.port, { to: mailbox.email, raw: letter('whole') })).toMatch(
      /^250 /,
    )
    expect((await stored()).map(({ subject }) => subject)).toEqual(['whole'])
  })

  test('blobs that cannot be written: 451, and mail flows again afterwards', async () => {
    const other = await anApp({ database: app.database })
    // A file in place of the folder: blocks root too, unlike permissions.
    const folder = join(other.config.dataDir, 'blobs')
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'in the way')
    const door = await openInbound(other)
    expect(await sendMail(door.port, { to: mailbox.email, raw: letter('no') })).toMatch(
      /^451 4\.3\.0 /,
    )
    expect(await stored()).toEqual([])
    await rm(folder)
    expect(await sendMail(door.port, { to: mailbox.email, raw: letter('yes') })).toMatch(/^250 /)
    await door.close()
    await other.close()
  })

  test('no database: 451 at RCPT and at the final dot', async () => {
    const other = await anApp()
    const ada = await aMailbox(other)
    const door = await openInbound(other)
    const client = await anSmtpClient(door.port)
    await client.reply()
    await client.say('EHLO x')
    await client.say('MAIL FROM:<a@example.net>')
    expect(await client.say(`RCPT TO:<${ada.email}>`)).toMatch(/^250 /)
    await other.database.drop()
    expect(await client.say(`RCPT TO:<also-${ada.email}>`)).toMatch(/^451 4\.3\.0 /)
    expect(await client.say('DATA')).toMatch(/^354 /)
    client.write(onTheWire(letter('lost?')))
    expect(await client.reply()).toMatch(/^451 4\.3\.0 /)
    client.close()
    await door.close()
    await other.close()
  })
})
