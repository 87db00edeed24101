/** The mail that programs hand in: what becomes of it on its way, and in Sent. */
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAlias } from '#server/features/mailboxes/aliases.ts'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { getJourney } from '#server/features/sending/journey.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { anImapWorld, type ImapWorld } from '#test-world/imap/imap-world.ts'
import { anActiveDomain } from '#test-world/members.ts'
import type { SmtpClient } from '#test-world/smtp/smtp-client.ts'
import {
  aSubmissionWorld,
  handIn,
  outgoingOf,
  type ProgramSender,
  type SubmissionWorld,
  sentCopiesOf,
} from '#test-world/smtp/submission-world.ts'
import { startOutbound } from '../outbound/worker.ts'

let app: TestApp
let world: SubmissionWorld
let imap: ImapWorld
let sender: ProgramSender
let client: SmtpClient
beforeAll(async () => {
  app = await anApp()
  world = await aSubmissionWorld(app)
  imap = await anImapWorld(app)
})
afterAll(async () => {
  await imap.close()
  await world.close()
  await app.close()
})
beforeEach(async () => {
  sender = await world.aSender()
  client = await sender.signIn()
})

const OUTSIDE = 'eve@elsewhere.example'
const HIDDEN = 'kit@elsewhere.example'
const outgoing = () => outgoingOf(app, sender.mailbox)
const copies = () => sentCopiesOf(app, sender.mailbox)

type Written = { id?: string | null; date?: boolean; more?: string[]; text?: string }

const letter = ({ id = 'one@program.example', date = true, more = [], text }: Written = {}) =>
  [
    ...(id === null ? [] : [`Message-Id:  <${id}>`]),
    ...(date ? ['date: Fri, 27 Nov 2026 08:00:00 +0100 (CET)'] : []),
    `From: "Ada" <${sender.mailbox.email}>`,
    `To: Eve <${OUTSIDE}>`,
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
    'X-Mailer:  Program\t1.0',
    ...more,
    '',
    text ?? 'Hello',
    '.',
    '..dots ',
    '',
  ].join('\r\n')

const send = (raw: string, to: string | string[] = OUTSIDE, from = sender.mailbox.email) =>
  handIn(client, { from, to, raw })

/** What was written, without what the server put in front. */
const asWritten = (raw = ''): string => raw.slice(raw.search(/^(?:Message-Id: {2}|date:)/m))

describe('a mail program', () => {
  test.each(['STARTTLS', 'TLS'])('sends with %s', async (how) => {
    const isTls = how === 'TLS'
    const program = createTransport({
      ...{ host: '127.0.0.1', port: isTls ? world.door.tls : world.door.starttls },
      ...{ secure: isTls, requireTLS: true, tls: { rejectUnauthorized: false } },
      auth: { user: sender.mailbox.email, pass: sender.password },
    })
    await program.sendMail({
      ...{ from: `Ada <${sender.mailbox.email}>`, to: OUTSIDE, bcc: HIDDEN },
      ...{ subject: 'From a program', text: 'Hello\n.\n..dots' },
    })
    const sent = await outgoing()
    expect(sent.map(({ recipient }) => recipient)).toEqual([OUTSIDE, HIDDEN])
    const { from, subject, text } = await PostalMime.parse(sent[0]?.raw ?? '')
    expect({ from, subject, text }).toEqual({
      from: { name: 'Ada', address: sender.mailbox.email },
      ...{ subject: 'From a program', text: 'Hello\n.\n..dots\n' },
    })
    expect(await copies()).toMatchObject([
      { id: sent[0]?.sentMessageId, subject: 'From a program', bcc: [{ address: HIDDEN }] },
    ])
    expect(app.logged('mail-submitted').at(-1)).toMatchObject({
      ...{ from: sender.mailbox.email, to: [OUTSIDE, HIDDEN], isRepeat: false },
      ...{ mailboxId: sender.mailbox.id, ip: '127.0.0.1' },
    })
  })
})

describe('a message on its way', () => {
  test('is as it was written, signed, and says nothing of where the program is', async () => {
    const raw = letter()
    const reply = await send(raw)
    expect(reply).toMatch(/^250 2\.6\.0 Accepted as [0-9a-f-]{36}$/)
    const [sent] = await outgoing()
    expect(asWritten(sent?.raw)).toBe(raw)
    const added = sent?.raw.slice(0, sent.raw.length - raw.length) ?? ''
    expect(added).toMatch(
      new RegExp(
        `^Received: by ${app.config.mailHost} \\(Mailstead\\) with ESMTPSA id ${reply.slice(-36)};\\r\\n\\t.*\\r\\nDKIM-Signature: `,
      ),
    )
    expect(sent?.raw).not.toMatch(/127\.0\.0\.1|program\.example\.net/)
    expect(
      await getJourney(app, sender.who, sender.mailbox.id, sent?.sentMessageId ?? ''),
    ).toMatchObject({
      steps: [{ kind: 'accepted' }],
      deliveries: [{ recipient: OUTSIDE, status: 'queued' }],
    })
  })

  test('carries a signature that holds, for the domain of its author', async () => {
    const other = await anActiveDomain(app, sender.admin)
    const alias = `ada@${other.name}`
    await addAlias(app, sender.admin, sender.mailbox.id, { email: alias })
    const large = `${'A line of a large file. '.repeat(4)}\r\n`.repeat(6_000)
    await send(letter({ text: large }), OUTSIDE, alias)
    const [sent] = await outgoing()
    expect(sent?.mailFrom).toBe(alias)
    const key = await app.db
      .selectFrom('domainKeys')
      .selectAll()
      .where('domainId', '=', sender.domain.id)
      .executeTakeFirstOrThrow()
    const { results } = await dkimVerify(Buffer.from(sent?.raw ?? ''), {
      resolver: async (name: string) => {
        expect(name).toBe(`${key.selector}._domainkey.${sender.domain.name}`)
        return [[`v=DKIM1; k=rsa; p=${key.publicKey}`]]
      },
    })
    expect(results.map(({ status }) => status.result)).toEqual(['pass'])
  })

  test('gets the date and the id that its program left out', async () => {
    await send(letter({ id: null, date: false }))
    const [sent] = await outgoing()
    const { date, messageId } = await PostalMime.parse(sent?.raw ?? '')
    expect(new Date(date ?? '').getTime()).toBe(
      Math.floor(app.clock.now().getTime() / 1_000) * 1_000,
    )
    expect(messageId).toMatch(new RegExp(`^<[0-9a-f-]{36}@${sender.domain.name}>$`))
  })

  test('has no results of checks in the name of this server', async () => {
    const forged = `Authentication-Results: ${app.config.mailHost}; dkim=pass`
    await send(letter({ more: [forged, 'Authentication-Results: elsewhere.example; dkim=fail'] }))
    const [sent] = await outgoing()
    expect(sent?.raw).not.toContain(forged)
    expect(sent?.raw).toContain('elsewhere.example; dkim=fail')
  })

  test('keeps letters beyond ASCII, also of its header', async () => {
    const from = sender.mailbox.email
    expect(await client.say(`MAIL FROM:<${from}> SMTPUTF8 BODY=8BITMIME`)).toMatch(/^250 /)
    expect(await client.say('RCPT TO:<müller@elsewhere.example>')).toMatch(/^250 /)
    await client.say('DATA')
    const raw = `From: Adä <${from}>\r\nTo: Müller <müller@elsewhere.example>\r\nSubject: Grüße\r\n\r\nSchön\r\n`
    client.write(`${raw}.\r\n`)
    expect(await client.reply()).toMatch(/^250 /)
    const [sent] = await outgoing()
    expect(sent?.recipient).toBe('müller@elsewhere.example')
    expect(sent?.raw.endsWith(raw)).toBe(true)
    expect(sent?.raw).toContain(' with UTF8SMTPSA id ')
    expect(await copies()).toMatchObject([{ subject: 'Grüße', bcc: [] }])
  })

  test('to a mailbox here stays here', async () => {
    const neighbour = await world.aSender()
    const raw = letter({ more: [`Bcc: ${neighbour.mailbox.email}`] })
    expect(await send(raw, neighbour.mailbox.email)).toMatch(/^250 /)
    const worker = startOutbound(app)
    const arrived = () =>
      app.db
        .selectFrom('messages')
        .select('blob')
        .where('mailboxId', '=', neighbour.mailbox.id)
        .execute()
    await expect.poll(arrived, { timeout: 60_000 }).toHaveLength(1)
    await worker.close()
    const [{ blob = '' } = {}] = await arrived()
    const there = (await app.blobs.get(blob)).toString()
    expect(there).not.toContain('Bcc')
    expect(there).toContain('Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=')
  })
})

describe('a blind copy', () => {
  test('goes to its recipient and is named to nobody but its sender', async () => {
    const more = [`Bcc: Kit <${HIDDEN}>,`, ' lea@elsewhere.example', 'Resent-Bcc: <x@y.example>']
    await send(letter({ more }), [OUTSIDE, HIDDEN, 'lea@elsewhere.example'])
    const sent = await outgoing()
    expect(sent.map(({ recipient }) => recipient)).toEqual([
      ...[OUTSIDE, HIDDEN, 'lea@elsewhere.example'],
    ])
    for (const { raw } of sent) expect(raw).not.toMatch(/bcc|kit@|lea@|x@y/i)
    const [copy] = await copies()
    expect(copy?.raw).toContain(`${more.join('\r\n')}\r\n`)
    expect(copy?.bcc.map(({ address }) => address)).toEqual([HIDDEN, 'lea@elsewhere.example'])
    expect(copy?.raw.endsWith(sent[0]?.raw ?? '')).toBe(true)
  })

  test('that only the envelope knows stands in the copy too', async () => {
    await send(letter(), [OUTSIDE, HIDDEN])
    const [copy] = await copies()
    expect(copy?.raw).toMatch(new RegExp(`^Bcc: ${HIDDEN}\\r\\n`))
    const [sent] = await outgoing()
    expect(sent?.raw).not.toContain(HIDDEN)
  })
})

describe('the copy in Sent', () => {
  const reader = async (): Promise<ImapClient> => {
    const given = { name: 'Laptop', scopes: ['imap' as const] }
    const { password } = await makeAppPassword(app, sender.who, sender.mailbox.id, given)
    const program = await ImapClient.connect(imap.door.imaps)
    await program.until('* OK')
    await program.ok(`LOGIN ${sender.mailbox.email} ${password}`)
    return program
  }
  const append = async (program: ImapClient, raw: string): Promise<string> => {
    const bytes = Buffer.from(raw)
    const command = `APPEND Sent (\\Seen) {${bytes.length}+}\r\n`
    const { ending } = await program.run(Buffer.concat([Buffer.from(command), bytes]))
    return ending
  }

  test('is there once when the program appends it afterwards, and the program learns its uid', async () => {
    await send(letter())
    const program = await reader()
    const ending = await append(program, letter({ more: [`Bcc: ${HIDDEN}`] }))
    const [only, ...more] = await copies()
    expect(more).toEqual([])
    expect(ending).toMatch(new RegExp(`^OK \\[APPENDUID \\d+ ${only?.uid}\\]`))
    program.close()
  })

  test('is the one that the program has appended before', async () => {
    const program = await reader()
    const appended = letter({ more: [`Bcc: ${HIDDEN}`] })
    await append(program, appended)
    await send(letter(), [OUTSIDE, HIDDEN])
    const [only, ...more] = await copies()
    expect(more).toEqual([])
    expect(only?.raw).toBe(appended)
    const sent = await outgoing()
    expect(new Set(sent.map(({ sentMessageId }) => sentMessageId))).toEqual(new Set([only?.id]))
    program.close()
  })

  test('is one of each mail with the same id', async () => {
    await send(letter())
    await send(letter(), HIDDEN)
    expect(await copies()).toHaveLength(2)
  })
})

describe('a mail that is handed in again', () => {
  test('after its 250 was lost goes out once, and gets its 250', async () => {
    await send(letter(), [OUTSIDE, HIDDEN])
    expect(await send(letter(), [HIDDEN, OUTSIDE])).toMatch(/^250 2\.6\.0 /)
    expect(await outgoing()).toHaveLength(2)
    expect(await copies()).toHaveLength(1)
    expect(app.logged('mail-submitted').at(-1)).toMatchObject({ isRepeat: true })
  })

  test('at the same moment goes out once', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => sender.signIn()))
    const from = sender.mailbox.email
    const replies = await Promise.all(
      clients.map((each) => handIn(each, { from, to: OUTSIDE, raw: letter() })),
    )
    for (const reply of replies) expect(reply).toMatch(/^250 /)
    expect(await outgoing()).toHaveLength(1)
    expect(await copies()).toHaveLength(1)
  })

  test('with another word, or an hour later, goes out', async () => {
    await send(letter({ text: 'at one' }))
    await send(letter({ text: 'at two' }))
    expect(await outgoing()).toHaveLength(2)
    app.clock.advance({ hours: 2 })
    await send(letter({ text: 'at two' }))
    expect(await outgoing()).toHaveLength(3)
  })
})

describe('bytes', () => {
  const stuffed = () => letter().replace(/^\./gm, '..')
  const data = async (bytes: string): Promise<string> => {
    await client.say(`MAIL FROM:<${sender.mailbox.email}>`)
    await client.say(`RCPT TO:<${OUTSIDE}>`)
    await client.say('DATA')
    client.write(bytes)
    return client.reply()
  }

  test.each([
    ['LF.LF', '\n.\n'],
    ['LF.CRLF', '\n.\r\n'],
    ['CRLF.LF', '\r\n.\n'],
    ['CR.CR', '\r.\r'],
  ])('%s ends no message, and smuggles none', async (_name, end) => {
    const smuggled = `MAIL FROM:<${sender.mailbox.email}>\r\nRCPT TO:<${HIDDEN}>\r\nDATA\r\nFrom: ${sender.mailbox.email}\r\n\r\nSmuggled`
    expect(await data(`${stuffed()}text${end}${smuggled}\r\n.\r\n`)).toMatch(/^554 5\.6\.0 /)
    expect(await client.say('NOOP')).toMatch(/^250 /)
    expect(await outgoing()).toEqual([])
  })

  test('of dots at the start of lines are written once and sent as written', async () => {
    const raw = letter()
    expect(await data(`${stuffed()}.\r\n`)).toMatch(/^250 /)
    const [sent] = await outgoing()
    expect(asWritten(sent?.raw)).toBe(raw)
  })

  test('are 25 MB at most, told by SIZE or not', async () => {
    expect(await client.say(`MAIL FROM:<${sender.mailbox.email}> SIZE=25000001`)).toMatch(
      /^552 5\.3\.4 /,
    )
    const line = `${'x'.repeat(9_998)}\r\n`
    expect(await data(`${stuffed()}${line.repeat(2_501)}.\r\n`)).toMatch(/^552 5\.3\.4 /)
    expect(await outgoing()).toEqual([])
  })

  test('that come too slowly end the connection', async () => {
    const strict = await aSubmissionWorld(app, { paceMs: 200 })
    const slow = await strict.connect()
    await slow.say(
      `AUTH PLAIN ${Buffer.from(`\0${sender.mailbox.email}\0${sender.password}`).toString('base64')}`,
    )
    await slow.say(`MAIL FROM:<${sender.mailbox.email}>`)
    await slow.say(`RCPT TO:<${OUTSIDE}>`)
    await slow.say('DATA')
    expect(await slow.reply()).toMatch(/^421 .*too slow/)
    await strict.close()
  })
})
