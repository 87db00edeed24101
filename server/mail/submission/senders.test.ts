/** As whom and to whom a mail program may send, and what stops it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAlias, removeAlias } from '#server/features/mailboxes/aliases.ts'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, limitStorage } from '#test-world/builders.ts'
import { aHolder } from '#test-world/people/holders.ts'
import type { SmtpClient } from '#test-world/smtp/smtp-client.ts'
import {
  aSubmissionWorld,
  handIn,
  outgoingOf,
  type ProgramSender,
  plainOf,
  type SubmissionWorld,
} from '#test-world/smtp/submission-world.ts'

let app: TestApp
let world: SubmissionWorld
let sender: ProgramSender
let client: SmtpClient
beforeAll(async () => {
  app = await anApp({ config: { sendLimit: 50, newRecipientLimit: 10 } })
  world = await aSubmissionWorld(app)
})
afterAll(async () => {
  await world.close()
  await app.close()
})
beforeEach(async () => {
  sender = await world.aSender({ localPart: 'ada' })
  client = await sender.signIn()
})

const OUTSIDE = 'eve@elsewhere.example'

const letter = (...fields: string[]): string =>
  [...fields, `To: ${OUTSIDE}`, 'Subject: Hello', '', 'Hello', ''].join('\r\n')

/** With this author, from the mailbox's own address. */
const sendAs = (...fields: string[]): Promise<string> =>
  handIn(client, { from: sender.mailbox.email, to: OUTSIDE, raw: letter(...fields) })

const own = (to: string | string[] = OUTSIDE): Promise<string> =>
  handIn(client, { from: sender.mailbox.email, to, raw: letter(`From: ${sender.mailbox.email}`) })

const sent = async () => (await outgoingOf(app, sender.mailbox)).map(({ recipient }) => recipient)

describe('the sender of the envelope', () => {
  test('is an own address, in any case and with a tag; no other, of this server or elsewhere', async () => {
    const { email } = sender.mailbox
    const other = await world.aSender()
    const neighbour = await aMailbox(app, { domain: sender.domain })
    for (const mine of [email, email.toUpperCase(), email.replace('@', '+shop@')]) {
      expect(await client.say(`MAIL FROM:<${mine}>`)).toMatch(/^250 2\.1\.0/)
      await client.say('RSET')
    }
    for (const foreign of [other.mailbox.email, neighbour.email, 'president@elsewhere.example', ''])
      expect(await client.say(`MAIL FROM:<${foreign}>`)).toMatch(/^550 5\.7\.1 /)
    expect(await client.say(`MAIL FROM:<${other.mailbox.email}>`)).toBe(
      `550 5.7.1 ${other.mailbox.email} is not an address of ${email}. Please send as ${email} or one of its aliases, or add this address as an alias`,
    )
    const refusals = app.logged('submission-refused')
    expect(refusals.at(-1)).toMatchObject({ at: 'sender', mailboxId: sender.mailbox.id })
  })

  test('is an alias from the moment that it is added, until it is removed', async () => {
    const alias = `countess@${sender.domain.name}`
    const asAlias = () =>
      handIn(client, { from: alias, to: OUTSIDE, raw: letter(`From: ${alias}`) })
    expect(await asAlias()).toMatch(/^550 5\.7\.1 /)
    const { _id } = await addAlias(app, sender.admin, sender.mailbox.id, { email: alias })
    expect(await asAlias()).toMatch(/^250 2\.6\.0 Accepted as /)
    expect((await outgoingOf(app, sender.mailbox))[0]?.mailFrom).toBe(alias)
    await removeAlias(app, sender.admin, sender.mailbox.id, _id)
    expect(await asAlias()).toMatch(/^550 5\.7\.1 /)
  })

  test('in a shared mailbox is the reader themselves, until they may send as the mailbox too', async () => {
    const shared = await aMailbox(app, { domain: sender.domain, localPart: 'office' })
    const { id: userId } = await aHolder(app, shared)
    await letRead(app, shared, sender.who.userId, 'given')
    const right = (canSend: boolean) =>
      app.db
        .updateTable('mailboxReaders')
        .set({ canSend })
        .where('mailboxId', '=', shared.id)
        .where('userId', '!=', userId)
        .execute()
    await right(false)
    const given = { name: 'Phone', scopes: ['smtp' as const] }
    const { password } = await makeAppPassword(app, sender.who, shared.id, given)
    const program = await world.connect()
    await program.say(plainOf(shared.email, password))
    const as = (address: string) =>
      handIn(program, { from: address, to: OUTSIDE, raw: letter(`From: ${address}`) })
    expect(await as(shared.email)).toMatch(/^550 5\.7\.1 /)
    expect(await as(sender.mailbox.email)).toMatch(/^250 /)
    await right(true)
    expect(await as(shared.email)).toMatch(/^250 /)
  })
})

describe('the author', () => {
  const foreign = 'victim@elsewhere.example'
  test.each<[string, () => string[]]>([
    ['a foreign address', () => [`From: ${foreign}`]],
    ['one behind an own name', () => [`From: "${sender.mailbox.email}" <${foreign}>`]],
    ['a second one', () => [`From: ${sender.mailbox.email}, ${foreign}`]],
    ['one in a group', () => [`From: people: ${sender.mailbox.email}, ${foreign};`]],
    ['one in a folded field', () => [`From: Ada\r\n <${foreign}>`]],
    ['one in an own Sender', () => [`From: ${foreign}`, `Sender: ${sender.mailbox.email}`]],
    [
      'the first one of several with an own Sender',
      () => [`From: ${foreign}, ${sender.mailbox.email}`, `Sender: ${sender.mailbox.email}`],
    ],
    [
      'a second one with a foreign Sender',
      () => [`From: ${sender.mailbox.email}, ${foreign}`, `Sender: ${foreign}`],
    ],
    ['a name without an address', () => ['From: Ada Lovelace']],
    ['nobody', () => ['From:']],
  ])('cannot be %s', async (_name, fields) => {
    expect(await sendAs(...fields())).toMatch(/^550 5\.7\.1 .*Please send as ada@/)
    expect(await sent()).toEqual([])
  })

  test.each<[string, () => string[]]>([
    ['no From', () => []],
    ['two From fields', () => [`From: ${sender.mailbox.email}`, `from : ${foreign}`]],
    ['two addresses in one entry', () => [`From: <${sender.mailbox.email}> <${foreign}>`]],
    ['a route', () => [`From: <@elsewhere.example:${sender.mailbox.email}>`]],
    ['an open quote', () => [`From: "Ada <${sender.mailbox.email}>`]],
    ['a line that is no field', () => [`From: ${sender.mailbox.email}`, 'nothing']],
  ])('is not looked for in a header with %s', async (_name, fields) => {
    expect(await sendAs(...fields())).toMatch(/^554 5\.6\.0 /)
    expect(await sent()).toEqual([])
  })

  test('is an own address with any name, one of several own, or the first one beside an own Sender', async () => {
    const { email } = sender.mailbox
    for (const fields of [
      [`From: =?utf-8?Q?Ada_L=C3=B6velace?= <${email}>`],
      [`From: ${email} (Ada Lovelace)`],
      [`From: "Lovelace, Ada \\"<3\\"" <${email}> (at work)`],
      [`From: ${email} <${email}>`],
      [`From: Ada <${email.toUpperCase()}>, <ada+shop@${sender.domain.name}>`],
      [`From: ${email}, ${foreign}`, `Sender: ${email}`],
    ])
      expect(await sendAs(...fields)).toMatch(/^250 /)
    expect(await sent()).toHaveLength(6)
  })
})

describe('a recipient', () => {
  test('of a domain here has to exist; of one elsewhere nobody knows', async () => {
    const neighbour = await world.aSender()
    await client.say(`MAIL FROM:<${sender.mailbox.email}>`)
    const to = (address: string) => client.say(`RCPT TO:<${address}>`)
    for (const known of [
      ...[neighbour.mailbox.email, `postmaster@${sender.domain.name}`, 'anybody@elsewhere.example'],
      ...['postmaster', `abuse@${app.config.mailHost}`],
    ])
      expect(await to(known)).toMatch(/^250 2\.1\.5/)
    expect(await to(`nobody@${neighbour.domain.name}`)).toBe('550 5.1.1 No such mailbox here')
    expect(await to('eve@[192.0.2.1]')).toMatch(/^553 5\.1\.3 /)
    expect(await to('müller@elsewhere.example')).toMatch(/^553 5\.6\.7 .*SMTPUTF8/)
  })

  test('is one of a hundred at most', async () => {
    await client.say(`MAIL FROM:<${sender.mailbox.email}>`)
    for (let n = 0; n < 100; n++) await client.say(`RCPT TO:<p${n}@elsewhere.example>`)
    expect(await client.say('RCPT TO:<more@elsewhere.example>')).toMatch(/^452 4\.5\.3 /)
  })

  test('of our own that is guessed, ends the connection', async () => {
    app.clock.advance({ days: 1 })
    await client.say(`MAIL FROM:<${sender.mailbox.email}>`)
    const guess = (n: number) => client.say(`RCPT TO:<nobody${n}@${sender.domain.name}>`)
    for (let n = 0; n < 200; n++) expect(await guess(n)).toMatch(/^550 5\.1\.1/)
    expect(await guess(200)).toMatch(/^421 .*Too many unknown recipients/)
  })
})

describe('what stops the browser stops a program', () => {
  const people = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `p${from + n}@elsewhere.example`)

  test('the limit of new recipients, of which all are taken or none', async () => {
    expect(await own(people(2))).toMatch(/^250 /)
    expect(await own(people(2))).toMatch(/^250 /)
    expect(await own(people(2, 1))).toMatch(/^450 4\.7\.1 .*new/)
    expect((await sent()).toSorted()).toEqual([...people(2), ...people(2)].toSorted())
    app.clock.advance({ days: 5 })
    expect(await own(people(2, 1))).toMatch(/^250 /)
    expect(await own(people(11, 20))).toMatch(/^550 5\.7\.1 /)
  })

  test('but whom one answers is no new recipient, and the answered message says so', async () => {
    const { id: mailboxId, workspaceId } = sender.mailbox
    const authentication = { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' }
    const raw = Buffer.from(
      'From: carol@else.example\r\nMessage-ID: <q@else.example>\r\n\r\nHi?\r\n',
    )
    const message = { raw, mailFrom: 'carol@else.example', authentication }
    await receiveMessage(app, app.db, message, [{ mailboxId, workspaceId }])
    const { email: from } = sender.mailbox
    const answer = letter(`From: ${from}`, 'In-Reply-To: <q@else.example>')
    expect(await handIn(client, { from, to: 'carol@else.example', raw: answer })).toMatch(/^250 /)
    const counted = app.db.selectFrom('sendings').selectAll().where('mailboxId', '=', mailboxId)
    expect(await counted.execute()).toMatchObject([{ recipients: 1, newRecipients: 0 }])
    const answered = app.db.selectFrom('messages').select('isAnswered')
    expect(await answered.where('messageId', '=', 'q@else.example').execute()).toEqual([
      { isAnswered: true },
    ])
  })

  test('a stop of the mailbox', async () => {
    const { id: mailboxId, workspaceId } = sender.mailbox
    const why = { failed: 10, ended: 10, example: 'no', stoppedAt: app.clock.now() }
    await app.db
      .insertInto('sendingStops')
      .values({ id: newId(), mailboxId, workspaceId, ...why, resumedAt: null })
      .execute()
    expect(await own()).toMatch(/^550 5\.7\.1 .*Admin/)
    expect(await sent()).toEqual([])
  })

  test('a domain whose proof is missing, or that was never active', async () => {
    const domain = (change: { sendingStoppedAt?: Date; activatedAt?: null }) =>
      app.db.updateTable('domains').set(change).where('id', '=', sender.domain.id).execute()
    await domain({ sendingStoppedAt: app.clock.now() })
    expect(await own()).toMatch(/^550 5\.7\.1 .*ownership record is missing/)
    await domain({ activatedAt: null })
    expect(await own()).toMatch(/^550 5\.7\.1 .*not active yet/)
  })

  test('a full workspace', async () => {
    await limitStorage(app, sender.mailbox.workspaceId, 10)
    expect(await own()).toMatch(/^452 4\.2\.2 .*storage/)
    expect(await sent()).toEqual([])
  })

  test('a mailbox that is suspended while its mail comes', async () => {
    await client.say(`MAIL FROM:<${sender.mailbox.email}>`)
    await client.say(`RCPT TO:<${OUTSIDE}>`)
    expect(await client.say('DATA')).toMatch(/^354 /)
    await editMailbox(app, sender.admin, sender.mailbox.id, { status: 'suspended' })
    client.write(`${letter(`From: ${sender.mailbox.email}`)}.\r\n`)
    expect(await client.reply()).toMatch(/^421 /)
    expect(await sent()).toEqual([])
  })
})
