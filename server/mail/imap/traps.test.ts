/** What broke other servers, and what two programs do to one folder at the same time. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { endAppPassword, listAppPasswords } from '#server/features/programs/app-passwords.ts'
import { anyAddress } from '#server/lib/ports/any-address.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { anImapWorld, type ImapReader, type ImapWorld } from '#test-world/imap/imap-world.ts'

let app: TestApp
let world: ImapWorld
let reader: ImapReader
let client: ImapClient
let other: ImapClient
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
  other = await reader.signIn()
})

let ids = 0
const come = async (many: number, header = ''): Promise<void> => {
  const { id: mailboxId, workspaceId } = reader.mailbox
  for (let n = 1; n <= many; n++) {
    app.clock.advance({ seconds: 1 })
    const raw = Buffer.from(
      `From: ada@example.org\r\nSubject: Mail ${n}\r\nMessage-ID: <${++ids}@example.org>\r\n${header}\r\nNumber ${n}\r\n`,
    )
    await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [
      { mailboxId, workspaceId },
    ])
  }
}

describe('numbers of messages', () => {
  beforeEach(async () => {
    await come(4)
    await client.ok('SELECT INBOX')
    await other.ok('SELECT INBOX')
    await other.ok('UID STORE 2 +FLAGS.SILENT (\\Deleted)')
    expect(await other.ok('EXPUNGE')).toEqual(['* 2 EXPUNGE'])
  })

  test('stay while FETCH, STORE and SEARCH answer, and change at NOOP', async () => {
    expect(await client.ok('FETCH 3 (UID)')).toEqual(['* 3 FETCH (UID 3)'])
    expect(await client.ok('STORE 4 +FLAGS (\\Seen)')).toEqual(['* 4 FETCH (FLAGS (\\Seen))'])
    expect(await client.ok('SEARCH UID 4')).toEqual(['* SEARCH 4'])
    expect(await client.ok('NOOP')).toContain('* 2 EXPUNGE')
    expect(await client.ok('FETCH 3 (UID)')).toEqual(['* 3 FETCH (UID 4)'])
  })

  test('with QRESYNC, UIDs are told instead', async () => {
    expect(await client.ok('ENABLE QRESYNC')).toEqual(['* ENABLED QRESYNC', '* VANISHED 2'])
  })
})

test('UID FETCH n:* finds what another program moved here, once it was told', async () => {
  await come(2)
  await client.ok('SELECT Archive')
  await other.ok('SELECT INBOX')
  await other.ok('UID MOVE 2 Archive')
  expect(await client.ok('NOOP')).toContain('* 1 EXISTS')
  expect(await client.ok('UID FETCH 1:* (FLAGS)')).toEqual(['* 1 FETCH (UID 1 FLAGS ())'])
})

test('pipelined commands are answered in their order: STORE, EXPUNGE, FETCH', async () => {
  await come(3)
  await client.ok('SELECT INBOX')
  client.send('1 STORE 1 +FLAGS.SILENT (\\Deleted)\r\n2 EXPUNGE\r\n3 FETCH 1:2 UID\r\n')
  expect(await client.until('3 ')).toEqual([
    '1 OK Stored',
    '* 1 EXPUNGE',
    '2 OK Expunged',
    '* 1 FETCH (UID 2)',
    '* 2 FETCH (UID 3)',
    '3 OK Fetched',
  ])
})

test('one byte at a time is a session like any other', async () => {
  await come(1)
  for (const byte of 'x SELECT {5}\r\n') client.send(byte)
  await client.until('+ ')
  for (const byte of 'INBOX\r\ny UID FETCH 1:* (UID BODY.PEEK[TEXT])\r\n') client.send(byte)
  expect(await client.until('y ')).toContain('* 1 FETCH (UID 1 BODY[TEXT] {10}\r\nNumber 1\r\n)')
})

test('letters beyond ASCII: encoded in envelopes, raw with UTF8=ACCEPT', async () => {
  await come(1, 'To: Jörg <j@example.org>\r\n')
  await client.ok('SELECT INBOX')
  const [plain] = await client.ok('FETCH 1 ENVELOPE')
  expect(plain).toContain('(("=?UTF-8?B?SsO2cmc=?=" NIL "j" "example.org"))')
  await client.ok('ENABLE UTF8=ACCEPT')
  const [raw] = await client.ok('FETCH 1 ENVELOPE')
  expect(raw).toContain('(("Jörg" NIL "j" "example.org"))')
})

test('a folder of any letters, in modified UTF-7 and in UTF-8', async () => {
  await client.ok('CREATE "Ann&AOk-e/&2D3eAA-"')
  expect(await client.ok('LIST "" "Ann*"')).toEqual([
    '* LIST (\\HasChildren) "/" "Ann&AOk-e"',
    '* LIST (\\HasNoChildren) "/" "Ann&AOk-e/&2D3eAA-"',
  ])
  await other.ok('ENABLE IMAP4rev2')
  expect(await other.ok('LIST "" "Ann%"')).toEqual(['* LIST (\\HasChildren) "/" "Année"'])
  await other.ok('RENAME "Année/😀" "Année/Été"')
  expect(await other.ok('SELECT "Année/Été"')).toContain('* LIST () "/" "Année/Été"')
})

test('what iPhones ask for: uses and unread counts of all folders at once', async () => {
  await come(2)
  const lines = await client.ok('LIST "" "*" RETURN (SPECIAL-USE STATUS (UNSEEN))')
  expect(lines).toContain('* STATUS "INBOX" (UNSEEN 2)')
  expect(lines).toContain('* LIST (\\HasNoChildren \\Sent) "/" "Sent"')
})

describe('copies and moves', () => {
  test('tell the UIDs at their new place, in order', async () => {
    await come(3)
    await client.ok('SELECT INBOX')
    expect((await client.run('UID COPY 1,3 Archive')).ending).toMatch(/^OK \[COPYUID \d+ 1,3 1:2\]/)
    expect((await client.run('COPY 2 Nowhere')).ending).toMatch(/^NO \[TRYCREATE\]/)
    expect(await client.ok('UID MOVE 77 Archive')).toEqual([])
    expect(await client.ok('STATUS Archive (MESSAGES UIDNEXT SIZE)')).toEqual([
      expect.stringMatching(/^\* STATUS "Archive" \(MESSAGES 2 UIDNEXT 3 SIZE [1-9]\d+\)$/),
    ])
  })
})

/** What a client knows after an answer (RFC 7162 §6): the code, or the highest of its messages. */
const modseqAfter = (lines: readonly string[]): number => {
  const all = lines.join('\n')
  const code = /\[HIGHESTMODSEQ (\d+)\]/.exec(all)?.[1]
  const each = [...all.matchAll(/MODSEQ \((\d+)\)/g)].map(([, modseq]) => Number(modseq))
  return code === undefined ? Math.max(...each) : Number(code)
}

describe('what a client missed', () => {
  test('is told with SELECT: what vanished, and what changed', async () => {
    await come(5)
    const lines = await client.ok('SELECT INBOX')
    const valid = /UIDVALIDITY (\d+)/.exec(lines.join())?.[1]
    const modseq = /HIGHESTMODSEQ (\d+)/.exec(lines.join())?.[1]
    await client.ok('UNSELECT')
    await other.ok('SELECT INBOX')
    await other.ok('STORE 2,4 +FLAGS.SILENT (\\Deleted)')
    await other.ok('EXPUNGE')
    await other.ok('UID STORE 3 +FLAGS.SILENT (\\Flagged)')
    await come(1)
    await client.ok('ENABLE QRESYNC')
    const missed = await client.ok(`SELECT INBOX (QRESYNC (${valid} ${modseq}))`)
    expect(missed).toContain('* VANISHED (EARLIER) 2,4')
    expect(missed.filter((line) => line.includes('FETCH'))).toEqual([
      expect.stringMatching(/^\* 2 FETCH \(UID 3 FLAGS \(\\Flagged\) MODSEQ \(\d+\)\)$/),
      expect.stringMatching(/^\* 4 FETCH \(UID 6 FLAGS \(\) MODSEQ \(\d+\)\)$/),
    ])
  })

  test('is told also where an answer spoke of a later change than what had left', async () => {
    await come(3)
    await client.ok('ENABLE QRESYNC')
    const lines = await client.ok('SELECT INBOX')
    const valid = /UIDVALIDITY (\d+)/.exec(lines.join())?.[1]
    await other.ok('ENABLE QRESYNC')
    await other.ok('SELECT INBOX')
    await other.ok('STORE 1 +FLAGS.SILENT (\\Deleted)')
    expect((await other.run('EXPUNGE')).ending).toMatch(/^OK \[HIGHESTMODSEQ \d+\]/)
    await other.ok('UID STORE 3 +FLAGS.SILENT (\\Flagged)')
    const told = await client.ok('FETCH 1:* (UID FLAGS)')
    expect(told.join()).not.toContain('VANISHED')
    const later = await reader.signIn()
    await later.ok('ENABLE QRESYNC')
    const missed = await later.ok(`SELECT INBOX (QRESYNC (${valid} ${modseqAfter(told)}))`)
    expect(missed).toContain('* VANISHED (EARLIER) 1')
  })

  test('a flag is not set over a change that the client has not seen', async () => {
    await come(2)
    await client.ok('SELECT INBOX (CONDSTORE)')
    const [line] = await client.ok('FETCH 1 (MODSEQ)')
    const modseq = Number(/MODSEQ \((\d+)\)/.exec(line ?? '')?.[1])
    await other.ok('SELECT INBOX')
    await other.ok('STORE 1 +FLAGS.SILENT (\\Flagged)')
    const { untagged, ending } = await client.run(
      `UID STORE 1,2 (UNCHANGEDSINCE ${modseq + 1}) +FLAGS.SILENT (\\Seen)`,
    )
    expect(ending).toMatch(/^OK \[MODIFIED 1\]/)
    expect(untagged).toContainEqual(expect.stringMatching(/^\* 2 FETCH \(UID 2 MODSEQ \(\d+\)\)$/))
  })
})

describe('searches', () => {
  beforeEach(async () => {
    await come(3, 'X-Colour: deep blue\r\n')
    await client.ok('SELECT INBOX')
  })

  test.each([
    ['BODY "umber 2"', '2'],
    ['BODY mail', ''],
    ['SUBJECT "AIL 3"', '3'],
    ['TEXT "mail 1"', '1'],
    ['HEADER x-colour "p BL"', '1 2 3'],
    ['HEADER X-None ""', ''],
    ['NOT HEADER X-Colour blue', ''],
    ['OR BODY "umber 1" SUBJECT "Mail 3"', '1 3'],
    ['NOT BODY "umber 2" 2:3', '3'],
    ['UID 2:* UNSEEN', '2 3'],
    ['FROM ADA LARGER 10 SINCE 1-Jan-2020 NOT DELETED', '1 2 3'],
  ])('%s', async (key, found) => {
    expect(await client.ok(`SEARCH ${key}`)).toEqual([`* SEARCH${found && ` ${found}`}`])
  })

  test('are saved, and told in short', async () => {
    expect(
      await client.ok('SEARCH RETURN (SAVE COUNT MIN MAX) SUBJECT mail NOT BODY "umber 2"'),
    ).toEqual([expect.stringMatching(/^\* ESEARCH \(TAG "A\d+"\) MIN 1 MAX 3 COUNT 2$/)])
    expect(await client.ok('FETCH $ (UID)')).toEqual(['* 1 FETCH (UID 1)', '* 3 FETCH (UID 3)'])
    expect(await client.ok('UID SEARCH RETURN (PARTIAL -1:-2) ALL')).toEqual([
      expect.stringMatching(/UID PARTIAL \(-1:-2 2:3\)$/),
    ])
  })

  test('are sorted and threaded', async () => {
    expect(await client.ok('SORT (REVERSE ARRIVAL) UTF-8 ALL')).toEqual(['* SORT 3 2 1'])
    await come(1, `References: <${ids - 2}@example.org>\r\n`)
    await client.ok('NOOP')
    expect(await client.ok('THREAD REFERENCES UTF-8 ALL')).toEqual(['* THREAD (1 4)(2)(3)'])
  })
})

describe('what a client sends too much of', () => {
  test('before the sign-in, literals are small; a message is refused by its announcement', async () => {
    const stranger = await ImapClient.connect(world.door.imaps)
    await stranger.until('* OK')
    stranger.send('a LOGIN {90000}\r\n')
    expect(await stranger.until('a ')).toEqual(['a BAD The command is too long'])
    stranger.send(`b LOGIN {90000+}\r\n${'x'.repeat(90_000)} y\r\nc NOOP\r\n`)
    expect(await stranger.until('c ')).toEqual(['b BAD The command is too long', 'c OK Done'])
    stranger.close()
    client.send('d APPEND INBOX {99000000}\r\n')
    expect(await client.until('d ')).toEqual([expect.stringMatching(/^d NO \[TOOBIG\]/)])
  })

  test('who does not sign in is sent away, over TLS and before it', async () => {
    const impatient = await anImapWorld(app, { strangerMs: 50 })
    const plain = await ImapClient.connect(impatient.door.imap, { isTls: false })
    expect((await plain.until('* BYE')).at(-1)).toBe('* BYE Please sign in sooner')
    const silent = connect(impatient.door.imaps, '127.0.0.1')
    await once(silent.resume(), 'close')
    await impatient.close()
  })

  test('who only makes faults is sent away', async () => {
    client.send('nonsense\r\n'.repeat(30))
    expect(await client.ended()).toBe(true)
  })
})

test('an appended message is there with its flags and date, and in Sent only once', async () => {
  const raw = 'Message-ID: <sent@example.org>\r\nSubject: Appended\r\n\r\nHello\r\n'
  const append = (folder: string) =>
    client.run(
      `APPEND ${folder} (\\Seen $Mine) " 5-May-2026 10:00:00 +0200" {${raw.length}+}\r\n${raw}`,
    )
  expect((await append('INBOX')).ending).toMatch(/^OK \[APPENDUID \d+ 1\]/)
  await client.ok('SELECT INBOX')
  expect(await client.ok('FETCH 1 (FLAGS INTERNALDATE BODY.PEEK[])')).toEqual([
    `* 1 FETCH (FLAGS (\\Seen $Mine) INTERNALDATE " 5-May-2026 08:00:00 +0000" BODY[] {${raw.length}}\r\n${raw})`,
  ])
  expect((await append('Sent')).ending).toMatch(/^OK \[APPENDUID \d+ 1\]/)
  expect((await append('Sent')).ending).toMatch(/^OK \[APPENDUID \d+ 1\]/)
  expect(await client.ok('STATUS Sent (MESSAGES)')).toEqual(['* STATUS "Sent" (MESSAGES 1)'])
})

describe('who may be here', () => {
  test('nobody sees the mail of another', async () => {
    await come(1)
    const stranger = await world.aReader()
    const theirs = await stranger.signIn()
    expect(await theirs.ok('STATUS INBOX (MESSAGES)')).toEqual(['* STATUS "INBOX" (MESSAGES 0)'])
    const wrong = await ImapClient.connect(world.door.imaps)
    await wrong.until('* OK')
    const { ending } = await wrong.run(`LOGIN ${stranger.mailbox.email} ${reader.password}`)
    expect(ending).toMatch(/^NO \[AUTHENTICATIONFAILED\]/)
    wrong.close()
  })

  test('a connection ends with its app password, and when the mailbox is suspended', async () => {
    client.send('i IDLE\r\n')
    await client.until('+ ')
    const [password] = await listAppPasswords(app, reader.who, reader.mailbox.id)
    await endAppPassword(app, reader.who, reader.mailbox.id, password?._id ?? '')
    expect((await client.until('* BYE')).at(-1)).toBe('* BYE This sign-in has ended')
    expect(await other.ended()).toBe(true)
    const second = await world.aReader()
    const theirs = await second.signIn()
    await editMailbox(app, second.admin, second.mailbox.id, { status: 'suspended' })
    expect(await theirs.ended()).toBe(true)
  })
})

test('a port for both kinds of addresses tells IPv4 as it is', async () => {
  const hosted = await anApp({ config: { mailListen: anyAddress() } })
  const open = await anImapWorld(hosted)
  await (await open.aReader()).signIn()
  expect(hosted.logged('program-signed-in')).toMatchObject([
    { ip: '127.0.0.1', network: '127.0.0.0/24' },
  ])
  await open.close()
  await hosted.close()
})

test('a password is seen at work for as long as its program stays', async () => {
  const hosted = await anApp()
  const open = await anImapWorld(hosted, { keepAliveMs: 50 })
  const owner = await open.aReader()
  await (await owner.signIn()).ok('SELECT INBOX')
  const lastUsed = async () =>
    (await listAppPasswords(hosted, owner.who, owner.mailbox.id))[0]?.lastUsedAt
  const first = await lastUsed()
  const later = hosted.clock.advance({ hours: 3 })
  await expect.poll(lastUsed).toBe(later.toISOString())
  expect(first).not.toBe(later.toISOString())
  expect(hosted.logged('program-signed-in')).toHaveLength(1)
  await open.close()
  await hosted.close()
})
