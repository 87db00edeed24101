/** NOTIFY (RFC 5465) over real sockets: what a client is told while it asks for nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { ImapClient } from '#test-world/imap/imap-client.ts'
import { anImapWorld, type ImapReader, type ImapWorld } from '#test-world/imap/imap-world.ts'

let app: TestApp
let world: ImapWorld
let reader: ImapReader
/** Watches; `other` changes. */
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

const letter = (subject: string) => `Subject: ${subject}\r\n\r\n${subject}\r\n`
const append = (folder: string, subject: string) =>
  other.ok(`APPEND ${folder} {${letter(subject).length}+}\r\n${letter(subject)}`)
const come = async (subject: string): Promise<void> => {
  const { id: mailboxId, workspaceId } = reader.mailbox
  const message = { raw: Buffer.from(letter(subject)), mailFrom: '', authentication: null }
  await receiveMessage(app, app.db, message, [{ mailboxId, workspaceId }])
}
const status = (folder: string, messages: number, uidNext: number, unseen: number) =>
  expect.stringMatching(
    `^\\* STATUS "${folder}" \\(MESSAGES ${messages} UIDNEXT ${uidNext} UIDVALIDITY \\d+ UNSEEN ${unseen}\\)$`,
  )

describe('the selected mailbox', () => {
  test('tells what comes and goes at once, with the items that were asked for, and marks nothing as read', async () => {
    await come('One')
    await client.ok('SELECT INBOX')
    await client.ok(
      'NOTIFY SET (selected (MessageNew (UID FLAGS BODY[HEADER.FIELDS (SUBJECT)]) MessageExpunge FlagChange))',
    )
    await come('Two')
    expect(await client.until('* 2 FETCH')).toEqual([
      '* 2 EXISTS',
      '* 2 FETCH (UID 2 FLAGS () BODY[HEADER.FIELDS (SUBJECT)] {16}\r\nSubject: Two\r\n\r\n)',
    ])
    await other.ok('SELECT INBOX')
    await other.ok('STORE 1 +FLAGS (\\Deleted)')
    expect(await client.line()).toBe('* 1 FETCH (UID 1 FLAGS (\\Deleted))')
    await other.ok('EXPUNGE')
    expect(await client.line()).toBe('* 1 EXPUNGE')
    expect(await client.ok('FETCH 1 (FLAGS)')).toEqual(['* 1 FETCH (FLAGS ())'])
  })

  test('holds back what has left for a command that may change numbers, where that was asked for', async () => {
    await come('One')
    await client.ok('SELECT INBOX')
    await client.ok('NOTIFY SET (selected-delayed (MessageNew MessageExpunge))')
    await other.ok('SELECT INBOX')
    await other.ok('STORE 1 +FLAGS (\\Deleted)')
    await other.ok('EXPUNGE')
    await come('Two')
    expect(await client.line()).toBe('* 2 EXISTS')
    expect(await client.ok('FETCH 2 (UID)')).toEqual(['* 2 FETCH (UID 2)'])
    expect(await client.ok('NOOP')).toEqual(['* 1 EXPUNGE'])
  })

  test('IDLE tells what was held back', async () => {
    await come('One')
    await client.ok('SELECT INBOX')
    await client.ok('NOTIFY SET (selected-delayed (MessageNew MessageExpunge FlagChange))')
    await other.ok('SELECT INBOX')
    await other.ok('STORE 1 +FLAGS.SILENT (\\Deleted)')
    await client.until('* 1 FETCH')
    await other.ok('EXPUNGE')
    client.send('I IDLE\r\n')
    expect(await client.until('* 1 EXPUNGE')).toContain('+ Idling')
    client.send('DONE\r\n')
    await client.until('I OK')
  })

  test('tells of flags only where they were asked for, and a client that knows modseqs is not told that it knows all', async () => {
    await come('One')
    await client.ok('ENABLE CONDSTORE')
    const [before] = await client.ok('STATUS INBOX (HIGHESTMODSEQ)')
    await client.ok('SELECT INBOX')
    await client.ok('NOTIFY SET (selected (MessageNew MessageExpunge))')
    await other.ok('SELECT INBOX')
    await other.ok('STORE 1 +FLAGS ($Work)')
    await come('Two')
    expect(await client.line()).toBe('* 2 EXISTS')
    const told = await client.ok('FETCH 2 (MODSEQ)')
    const known = /HIGHESTMODSEQ (\d+)/.exec(before ?? '')?.[1]
    expect(told).toEqual([
      expect.stringMatching(/^\* 2 FETCH \(MODSEQ/),
      expect.stringMatching(`HIGHESTMODSEQ ${known}\\]`),
    ])
  })

  test('NONE, or groups of others alone: nothing, until the client wants to know again', async () => {
    await client.ok('SELECT INBOX')
    for (const nothing of ['NONE', 'SET (mailboxes Archive (MessageNew MessageExpunge))']) {
      await client.ok(`NOTIFY ${nothing}`)
      await come('Unheard')
      expect(await client.ok('NOOP')).toEqual([])
    }
    expect(await client.ok('NOTIFY SET (selected (MessageNew MessageExpunge))')).toEqual([
      '* 2 EXISTS',
    ])
  })
})

describe('other mailboxes', () => {
  test('STATUS as it is now, and again with each change that is watched', async () => {
    await append('Archive', 'Old')
    expect(
      await client.ok(
        'NOTIFY SET STATUS (mailboxes (INBOX Archive) (MessageNew MessageExpunge FlagChange)) (mailboxes Sent (MailboxName))',
      ),
    ).toEqual([status('INBOX', 0, 1, 0), status('Archive', 1, 2, 1)])
    await come('One')
    expect(await client.line()).toEqual(status('INBOX', 1, 2, 1))
    await other.ok('SELECT Archive')
    await other.ok('STORE 1 +FLAGS (\\Seen \\Deleted)')
    expect(await client.line()).toEqual(status('Archive', 1, 2, 0))
    await append('Sent', 'Unwatched')
    await other.ok('EXPUNGE')
    expect(await client.line()).toEqual(status('Archive', 0, 2, 0))
  })

  test('without FlagChange no flag is told, and the selected one is told by its own group alone', async () => {
    await come('One')
    await client.ok('SELECT INBOX')
    await client.ok(
      'NOTIFY SET (selected (MessageNew MessageExpunge)) (personal (MessageNew MessageExpunge))',
    )
    await other.ok('SELECT INBOX')
    await other.ok('STORE 1 +FLAGS (\\Seen)')
    await come('Two')
    expect(await client.line()).toBe('* 2 EXISTS')
    await append('Drafts', 'Draft')
    expect(await client.line()).toEqual(status('Drafts', 1, 2, 1))
  })

  test('the first group that is of a mailbox and forbids it decides', async () => {
    await client.ok(
      'NOTIFY SET (mailboxes (Sent) NONE) (subtree (Sent Archive) (MessageNew MessageExpunge))',
    )
    await append('Sent', 'Silent')
    await append('Archive', 'Told')
    expect(await client.line()).toEqual(status('Archive', 1, 2, 1))
  })

  test('names that come, change and go, and subscriptions', async () => {
    await client.ok('NOTIFY SET (subtree Clients (MailboxName SubscriptionChange))')
    await other.ok('CREATE Clients/One')
    expect([await client.line(), await client.line()].toSorted()).toEqual([
      '* LIST (\\HasChildren \\Subscribed) "/" "Clients"',
      '* LIST (\\HasNoChildren \\Subscribed) "/" "Clients/One"',
    ])
    await other.ok('RENAME Clients/One Clients/Été'.replaceAll('É', '&AMk-').replace('é', '&AOk-'))
    expect(await client.line()).toBe(
      '* LIST (\\HasNoChildren \\Subscribed) "/" "Clients/&AMk-t&AOk-" ("OLDNAME" ("Clients/One"))',
    )
    await other.ok('UNSUBSCRIBE Clients')
    expect(await client.line()).toBe('* LIST (\\HasChildren) "/" "Clients"')
    await other.ok('RENAME Clients/&AMk-t&AOk- Elsewhere')
    expect(await client.line()).toBe(
      '* LIST (\\HasNoChildren \\Subscribed) "/" "Elsewhere" ("OLDNAME" ("Clients/&AMk-t&AOk-"))',
    )
    await other.ok('DELETE Clients')
    expect(await client.line()).toBe('* LIST (\\NonExistent) "/" "Clients"')
    await other.ok('CREATE Unwatched')
    expect(await client.ok('NOOP')).toEqual([])
  })
})

test('an event that is not known here is refused with those that are, and changes nothing', async () => {
  await client.ok('NOTIFY SET (mailboxes Archive (MessageNew MessageExpunge))')
  const { ending } = await client.run('NOTIFY SET (personal (AnnotationChange MailboxName))')
  expect(ending).toMatch(
    /^NO \[BADEVENT \(MessageNew MessageExpunge FlagChange MailboxName SubscriptionChange\)\]/,
  )
  await append('Archive', 'Told')
  expect(await client.line()).toEqual(status('Archive', 1, 2, 1))
})
