/** Sessions of mail programs over real sockets. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeMessage } from '#server/features/messages/change-message.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { anImapWorld, type ImapReader, type ImapWorld } from '#test-world/imap/imap-world.ts'

let app: TestApp
let world: ImapWorld
let reader: ImapReader
let client: ImapClient
beforeAll(async () => {
  app = await anApp()
  world = await anImapWorld(app)
})
afterAll(async () => {
  await world.close()
  await app.close()
})
beforeEach(async () => {
  reader = await world.aReader()
  client = await reader.signIn()
})

const letter = (subject: string, more = ''): Buffer =>
  Buffer.from(
    `From: Ada <ada@example.org>\r\nTo: ${reader.mailbox.email}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replace(/\W/g, '')}@example.org>\r\nDate: Fri, 27 Nov 2026 08:00:00 +0000\r\n${more}\r\nHello ${subject}\r\n`,
  )
const come = async (...subjects: string[]): Promise<void> => {
  const { id: mailboxId, workspaceId } = reader.mailbox
  for (const subject of subjects) {
    app.clock.advance({ seconds: 1 })
    const message = { raw: letter(subject), mailFrom: 'ada@example.org', authentication: null }
    await receiveMessage(app, app.db, message, [{ mailboxId, workspaceId }])
  }
}

describe('sign-in', () => {
  test('takes no password before TLS, and drops what came with STARTTLS', async () => {
    const plain = await ImapClient.connect(world.door.imap, { isTls: false })
    expect(await plain.until('* OK')).toEqual([expect.stringMatching(/STARTTLS LOGINDISABLED/)])
    expect((await plain.run(`LOGIN ${reader.mailbox.email} ${reader.password}`)).ending).toMatch(
      /^NO \[PRIVACYREQUIRED\]/,
    )
    plain.send('T1 STARTTLS\r\nT2 CAPABILITY\r\n')
    expect(await plain.until('T1')).toEqual([expect.stringMatching(/^T1 OK/)])
    await plain.goSecure()
    const { untagged } = await plain.run('CAPABILITY')
    expect(untagged).toEqual([expect.stringMatching(/^\* CAPABILITY IMAP4rev1.*AUTH=PLAIN/)])
    await plain.ok(`LOGIN ${reader.mailbox.email} ${reader.password}`)
    plain.close()
  })

  test('by AUTHENTICATE, with the first answer and without, and by LOGIN', async () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const { email } = reader.mailbox
    const first = await ImapClient.connect(world.door.imaps)
    await first.until('* OK')
    await first.ok(`AUTHENTICATE PLAIN ${base64(`\0${email}\0${reader.password}`)}`)
    const second = await ImapClient.connect(world.door.imaps)
    await second.until('* OK')
    second.send('B AUTHENTICATE LOGIN\r\n')
    await second.until('+ ')
    second.send(`${base64(email)}\r\n`)
    await second.until('+ ')
    second.send(`${base64(reader.password)}\r\n`)
    expect(await second.until('B ')).toEqual([expect.stringMatching(/^B OK/)])
    const wrong = await ImapClient.connect(world.door.imaps)
    await wrong.until('* OK')
    expect((await wrong.run(`LOGIN ${email} nothing`)).ending).toMatch(
      /^NO \[AUTHENTICATIONFAILED\]/,
    )
    for (const each of [first, second, wrong]) each.close()
  })
})

test('a day of a program: folders, messages, flags, new mail, a move and the end', async () => {
  await come('One', 'Two')
  expect(await client.ok('LIST "" "*"')).toEqual([
    '* LIST (\\HasNoChildren) "/" "INBOX"',
    '* LIST (\\HasNoChildren \\Archive) "/" "Archive"',
    '* LIST (\\HasNoChildren \\Drafts) "/" "Drafts"',
    '* LIST (\\HasNoChildren \\Junk) "/" "Junk"',
    '* LIST (\\HasNoChildren \\Sent) "/" "Sent"',
    '* LIST (\\HasNoChildren \\Trash) "/" "Trash"',
  ])
  const selected = await client.ok('SELECT inbox')
  expect(selected).toContain('* 2 EXISTS')
  expect(selected).toContainEqual(expect.stringMatching(/^\* OK \[UNSEEN 1\]/))
  const [first] = await client.ok(
    'FETCH 1 (UID FLAGS ENVELOPE BODYSTRUCTURE RFC822.SIZE INTERNALDATE)',
  )
  expect(first).toContain('ENVELOPE ("Fri, 27 Nov 2026 08:00:00 +0000" "One" (("Ada" NIL "ada"')
  expect(first).toContain('BODYSTRUCTURE ("text" "plain" ')
  const raw = letter('Two').toString()
  expect(await client.ok('UID FETCH 2 BODY.PEEK[]')).toEqual([
    `* 2 FETCH (UID 2 BODY[] {${raw.length}}\r\n${raw})`,
  ])
  expect(await client.ok('FETCH 2 BODY[TEXT]<0.5>')).toEqual([
    '* 2 FETCH (BODY[TEXT]<0> {5}\r\nHello FLAGS (\\Seen))',
  ])
  expect(await client.ok('STORE 1 +FLAGS (\\Flagged $Work)')).toEqual([
    '* 1 FETCH (FLAGS (\\Flagged $Work))',
  ])
  await come('Three')
  expect(await client.ok('NOOP')).toEqual(['* 3 EXISTS', '* 3 FETCH (UID 3 FLAGS ())'])
  expect(await client.ok('UID MOVE 1 Archive')).toEqual([
    expect.stringMatching(/^\* OK \[COPYUID \d+ 1 1\] Moved$/),
    '* 1 EXPUNGE',
  ])
  await client.ok('STORE 1 +FLAGS.SILENT (\\Deleted)')
  expect(await client.ok('EXPUNGE')).toEqual(['* 1 EXPUNGE'])
  expect(await client.ok('SEARCH ALL')).toEqual(['* SEARCH 1'])
  expect(await client.ok('LOGOUT')).toEqual(['* BYE Until soon'])
  expect(await client.ended()).toBe(true)
})

test('IDLE tells what others do within a moment, and DONE may come with the next commands', async () => {
  await come('One')
  await client.ok('SELECT INBOX')
  client.send('I IDLE\r\n')
  await client.until('+ ')
  await come('Two')
  expect(await client.until('* 2 FETCH')).toEqual(['* 2 EXISTS', '* 2 FETCH (UID 2 FLAGS ())'])
  const [message] = await app.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', reader.mailbox.id)
    .where('uid', '=', 1)
    .execute()
  await changeMessage(app, reader.who, reader.mailbox.id, message?.id ?? '', { isRead: true })
  expect(await client.until('* 1 FETCH')).toEqual(['* 1 FETCH (UID 1 FLAGS (\\Seen))'])
  client.send('DONE\r\nX1 NOOP\r\nX2 FETCH 2 UID\r\n')
  expect(await client.until('X2 ')).toEqual([
    expect.stringMatching(/^I OK/),
    expect.stringMatching(/^X1 OK/),
    '* 2 FETCH (UID 2)',
    expect.stringMatching(/^X2 OK/),
  ])
})
