/**
 * A day of imapflow, which nobody here wrote, at our IMAP door: as a program of today, and as one that knows IMAP4rev1 alone. What it
 * was told and what it did is compared with what is stored, and it may complain of nothing.
 */
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import {
  type ExpungeEvent,
  type FlagsEvent,
  ImapFlow,
  type ImapFlowOptions,
  type MessageStructureObject,
  type SearchReturnOption,
} from 'imapflow'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anApp, type TestApp } from '../app.ts'
import { anImapWorld, type ImapReader, type ImapWorld } from '../imap/imap-world.ts'
import { shownCertificate } from '../imap/shown-certificate.ts'
import { type StoredMail, storedFolder, storedFolderNames } from '../imap/stored-folder.ts'
import { aLetter } from '../mail/letter.ts'
import { mailsWithFiles } from '../real-mail/files.ts'
import { letters } from '../real-mail/letters.ts'

let app: TestApp
let world: ImapWorld
let certificate: string
beforeAll(async () => {
  app = await anApp()
  world = await anImapWorld(app)
  certificate = await shownCertificate(world.door.imaps)
})
afterAll(async () => {
  await world.close()
  await app.close()
})

/** Their encoding is none of MIME, or not what they say. */
const undecodable = ['a file in x-uuencode', 'a file that is said to be base64 and is not']

/** Kinds whose subject we show, and imapflow reads as it stands, or with raw bytes lost, or without the spaces of a long fold. */
const cleanedByUs = [
  'line ends in an encoded word',
  'a subject of 1,100 characters',
  'a subject that nobody sees',
  'bytes inside of an encoded word',
]

const leavesOf = (node: MessageStructureObject | undefined): MessageStructureObject[] =>
  node?.childNodes?.flatMap(leavesOf) ?? (node === undefined ? [] : [node])

const nameOf = ({ dispositionParameters, parameters }: MessageStructureObject) =>
  dispositionParameters?.filename ?? parameters?.name

const today: ImapFlowOptions = { secure: true, qresync: true }
const old: ImapFlowOptions = {
  ...{ secure: false, doSTARTTLS: true },
  ...{ disableIMAP4rev2: true, disableAutoEnable: true, disableCompression: true },
  disableBinary: true,
}

describe.each([
  ['today', today],
  ['long ago', old],
] as const)('a program of %s', (age, options) => {
  let reader: ImapReader
  let program: ImapFlow
  let complaints: unknown[]
  /** Its commands, without their tags. */
  let commands: string[]
  beforeEach(async () => {
    complaints = []
    commands = []
    reader = await world.aReader()
    program = await signedIn()
  })

  const signedIn = async (): Promise<ImapFlow> => {
    const complain = (line: unknown) => void complaints.push(line)
    const hear = ({ src, msg }: { src?: string; msg: string }): void => {
      if (src === 'c') commands.push(msg.slice(msg.indexOf(' ') + 1))
    }
    const next = new ImapFlow({
      ...{ host: '127.0.0.1', port: age === 'today' ? world.door.imaps : world.door.imap },
      ...options,
      ...{ servername: app.config.mailHost, tls: { ca: certificate } },
      auth: { user: reader.mailbox.email, pass: reader.password },
      logger: { debug: hear, info: () => {}, warn: complain, error: complain },
    })
    next.on('error', complain)
    await next.connect()
    return next
  }
  const leave = async (...programs: ImapFlow[]): Promise<void> => {
    for (const each of programs) await each.logout()
    expect(complaints).toEqual([])
  }
  const stored = (name: string): Promise<StoredMail[]> => storedFolder(app, reader.mailbox.id, name)
  const subjects = async (name: string) => (await stored(name)).map(({ subject }) => subject)
  const flags = async (name: string) => (await stored(name)).map((mail) => mail.flags)
  const come = async (...names: string[]): Promise<void> => {
    for (const subject of names) {
      app.clock.advance({ seconds: 1 })
      await aLetter(app, reader.mailbox, { subject, body: `Hello ${subject}` })
    }
  }
  const appendKinds = async (kinds: readonly { raw: Buffer }[]): Promise<void> => {
    for (const { raw } of kinds)
      expect(await program.append('INBOX', raw)).toMatchObject({ destination: 'INBOX' })
  }

  test('is told what the server can do, and who it is', async () => {
    expect(program.tls).toMatchObject({ authorized: true })
    expect(program.serverInfo).toMatchObject({ name: 'Mailstead' })
    expect(commands.includes('COMPRESS DEFLATE')).toBe(age === 'today')
    const enabled = ['CONDSTORE', 'IMAP4REV2', 'QRESYNC', 'UTF8=ACCEPT']
    expect([...program.enabled].toSorted()).toEqual(age === 'today' ? enabled : [])
    await leave(program)
    expect(program.usable).toBe(false)
  })

  test('lists folders with their use and what is in them', async () => {
    await come('One', 'Two')
    const found = await program.list({ statusQuery: { messages: true, unseen: true, size: true } })
    expect(found.map(({ path, specialUse = null }) => [path, specialUse])).toEqual([
      ['INBOX', '\\Inbox'],
      ['Sent', '\\Sent'],
      ['Drafts', '\\Drafts'],
      ['Archive', '\\Archive'],
      ['Junk', '\\Junk'],
      ['Trash', '\\Trash'],
    ])
    // From the server, not guessed by the name.
    expect(found.slice(1).map((each) => each.specialUseSource)).toEqual(Array(5).fill('extension'))
    const size = (await stored('INBOX')).reduce((sum, { raw }) => sum + raw.length, 0)
    expect(found[0]?.status).toMatchObject({ messages: 2, unseen: 2, size })
    await leave(program)
  })

  test('reads every kind of mail, byte for byte', async () => {
    const kinds = [...letters, ...mailsWithFiles]
    await appendKinds(kinds)
    await program.mailboxOpen('INBOX')
    const query = { envelope: true, bodyStructure: true, source: true, size: true, uid: true }
    const read = await program.fetchAll('1:*', query)
    expect(read.map(({ uid, source }) => ({ uid, raw: source }))).toEqual(
      kinds.map(({ raw }, n) => ({ uid: n + 1, raw })),
    )
    expect(read.map(({ source }) => source)).toEqual((await stored('INBOX')).map(({ raw }) => raw))
    const shown = await subjects('INBOX')
    const otherwise = read.flatMap(({ envelope }, n) =>
      (envelope?.subject ?? '') === shown[n] ? [] : [kinds[n]?.name],
    )
    expect(otherwise).toEqual(cleanedByUs)
    expect(read.map(({ size }) => size)).toEqual(kinds.map(({ raw }) => raw.length))
    expect(read.filter(({ envelope, bodyStructure }) => !envelope || !bodyStructure)).toEqual([])
    await leave(program)
  })

  test('downloads files as they were attached', async () => {
    const kinds = mailsWithFiles.filter(({ name }) => !undecodable.includes(name))
    await appendKinds(kinds)
    await program.mailboxOpen('INBOX')
    let downloaded = 0
    for (const [n, { name, files }] of kinds.entries()) {
      const message = await program.fetchOne(`${n + 1}`, { bodyStructure: true })
      const parts = message === false ? [] : leavesOf(message.bodyStructure)
      for (const [file, attached] of files) {
        const part = parts.find((each) => nameOf(each) === file)
        if (part === undefined) continue
        const { content } = await program.download(`${n + 1}`, part.part ?? '1', {
          decodeText: false,
        })
        expect([name, content && (await buffer(content))]).toEqual([name, attached])
        parts.splice(parts.indexOf(part), 1)
        downloaded += 1
      }
    }
    expect(downloaded).toBe(15)
    await leave(program)
  })

  test('sets and removes flags and keywords', async () => {
    await come('One', 'Two')
    await program.mailboxOpen('INBOX')
    await program.messageFlagsAdd('1:2', ['\\Seen', '$Work'])
    await program.messageFlagsAdd('2', ['\\Flagged', '$Forwarded'], { uid: true })
    expect(await flags('INBOX')).toEqual([
      ['$Work', '\\Seen'],
      ['$Forwarded', '$Work', '\\Flagged', '\\Seen'],
    ])
    await program.messageFlagsRemove('1', ['\\Seen', '$Work'])
    await program.messageFlagsSet('2', ['\\Answered'])
    expect(await flags('INBOX')).toEqual([[], ['\\Answered']])
    const told = await program.fetchAll('1:*', { flags: true })
    expect(told.map((mail) => [...(mail.flags ?? [])])).toEqual([[], ['\\Answered']])
    await leave(program)
  })

  test('moves, copies and deletes', async () => {
    await come('One', 'Two', 'Three', 'Four')
    await program.mailboxOpen('INBOX')
    const moved = await program.messageMove('1:2', 'Archive')
    expect(moved).toMatchObject({ uidMap: new Map([1, 2].map((uid) => [uid, uid])) })
    const copied = await program.messageCopy('3', 'Archive', { uid: true })
    expect(copied).toMatchObject({ uidMap: new Map([[3, 3]]) })
    expect(await program.messageDelete('4', { uid: true })).toBe(true)
    expect(program.mailbox).toMatchObject({ exists: 1 })
    expect(await subjects('INBOX')).toEqual(['Three'])
    expect(await subjects('Archive')).toEqual(['One', 'Two', 'Three'])
    await leave(program)
  })

  test('makes, renames and deletes a folder with letters of every script', async () => {
    const [first, second] = ['Rechnungen & Büro/Größe 東京', 'Приветы 🎈']
    expect(await program.mailboxCreate(first)).toMatchObject({ path: first, created: true })
    expect(await storedFolderNames(app, reader.mailbox.id)).toContain(first)
    await program.append(first, Buffer.from('Subject: Kept\r\n\r\nHello\r\n'), ['\\Seen'])
    expect(await program.mailboxRename(first, second)).toMatchObject({ newPath: second })
    expect(await subjects(second)).toEqual(['Kept'])
    expect((await program.list()).map(({ path }) => path)).toContain(second)
    expect(await program.mailboxOpen(second)).toMatchObject({ path: second, exists: 1 })
    await program.mailboxDelete(second)
    expect(await storedFolderNames(app, reader.mailbox.id)).not.toContain(second)
    await leave(program)
  })

  test('searches', async () => {
    await come('Angebot für Möbel', 'Lunch', 'Another offer')
    await program.mailboxOpen('INBOX')
    await program.messageFlagsAdd('2', ['\\Seen', '$Work'])
    expect(await program.search({ subject: 'für möbel' })).toEqual([1])
    expect(await program.search({ seen: false, not: { subject: 'offer' } })).toEqual([1])
    expect(await program.search({ keyword: '$Work' })).toEqual([2])
    expect(await program.search({ or: [{ body: 'Hello Lunch' }, { subject: 'ANOTHER' }] })).toEqual(
      [2, 3],
    )
    expect(await program.search({ since: new Date('2001-01-01') }, { uid: true })).toHaveLength(3)
    expect(await program.search({ subject: 'nothing of this' })).toEqual([])
    await leave(program)
  })

  test('asks for numbers alone, and for its room', async () => {
    await come('One', 'Two', 'Three')
    await program.mailboxOpen('INBOX')
    await program.messageDelete('1')
    await program.messageFlagsAdd('2', ['\\Deleted', '\\Seen'])
    const numbers: SearchReturnOption[] = ['MIN', 'MAX', 'COUNT', 'ALL']
    const found = await program.search({ all: true }, { uid: true, returnOptions: numbers })
    expect(found).toMatchObject({ min: 2, max: 3, count: 2, all: '2:3' })
    const query = { messages: true, unseen: true, uidNext: true, size: true, deleted: true }
    const raws = (await stored('INBOX')).map(({ raw }) => raw)
    const size = raws.reduce((sum, { length }) => sum + length, 0)
    expect(await program.status('INBOX', query)).toMatchObject({
      ...{ messages: 2, unseen: 1, uidNext: 4, size },
      // Of IMAP4rev2 alone.
      ...(age === 'today' && { deleted: 1 }),
    })
    const { usedBytes } = await app.db
      .selectFrom('mailboxes')
      .select('usedBytes')
      .where('id', '=', reader.mailbox.id)
      .executeTakeFirstOrThrow()
    const { storage } = (await program.getQuota('INBOX')) || {}
    expect(storage).toMatchObject({ usage: Math.ceil(Number(usedBytes) / 1024) * 1024 })
    await leave(program)
  })

  test('keeps a draft', async () => {
    const raw = Buffer.from(
      `From: ${reader.mailbox.email}\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nNot done\r\n`,
    )
    const kept = await program.append('Drafts', raw, ['\\Draft', '\\Seen'], new Date('2026-05-01'))
    expect(await stored('Drafts')).toEqual([
      { uid: 1, subject: 'Grüße', flags: ['\\Draft', '\\Seen'], raw },
    ])
    expect(kept).toMatchObject({ uid: 1 })
    await program.mailboxOpen('Drafts')
    const draft = await program.fetchOne('1', { internalDate: true, envelope: true })
    expect(draft).toMatchObject({
      internalDate: new Date('2026-05-01'),
      envelope: { subject: 'Grüße', from: [{ address: reader.mailbox.email }] },
    })
    await leave(program)
  })

  test('is told while it waits: a new mail, a flag, and what another program deletes', async () => {
    await come('One')
    await program.mailboxOpen('INBOX')
    const waiting = program.idle()
    const exists = once(program, 'exists')
    await come('Two')
    expect(await exists).toEqual([{ path: 'INBOX', count: 2, prevCount: 1 }])
    expect(program.idling).toBe(true)
    const other = await signedIn()
    await other.mailboxOpen('INBOX')
    const marked = Promise.withResolvers<FlagsEvent>()
    program.on('flags', (event) => event.flags.size > 0 && marked.resolve(event))
    await other.messageFlagsAdd('2', ['\\Flagged'])
    expect(await marked.promise).toMatchObject({ seq: 2, flags: new Set(['\\Flagged']) })
    const gone = once(program, 'expunge') as Promise<[ExpungeEvent]>
    await other.messageMove('1', 'Trash')
    expect((await gone)[0]).toMatchObject(
      age === 'today' ? { uid: 1, vanished: true } : { seq: 1, vanished: false },
    )
    expect(program.idling).toBe(true)
    expect(program.mailbox).toMatchObject({ exists: 1 })
    const left = await program.fetchAll('1:*', { uid: true, envelope: true })
    expect(left.map(({ uid, envelope }) => [uid, envelope?.subject])).toEqual([[2, 'Two']])
    expect(commands.filter((command) => command === 'NOOP')).toEqual([])
    await waiting
    await leave(program, other)
  })

  test('comes back and is told what it missed, and overwrites nothing that it did not see', async () => {
    await come('One', 'Two', 'Three')
    const { uidValidity = 0n, highestModseq = 0n } = await program.mailboxOpen('INBOX')
    const other = await signedIn()
    await other.mailboxOpen('INBOX')
    await other.messageFlagsAdd('2', ['\\Flagged'])
    await other.messageDelete('1')
    await come('Four')
    await program.logout()
    const expunged: ExpungeEvent[] = []
    const marked: FlagsEvent[] = []
    program = await signedIn()
    program.on('expunge', (event) => void expunged.push(event))
    program.on('flags', (event) => void marked.push(event))
    await program.mailboxOpen('INBOX', { uidValidity, changedSince: highestModseq })
    if (age === 'today') {
      expect(expunged).toEqual([{ path: 'INBOX', uid: 1, vanished: true, earlier: true }])
      expect(marked.map(({ uid, flags }) => [uid, [...flags]])).toEqual([
        [2, ['\\Flagged']],
        [4, []],
      ])
    }
    const changed = await program.fetchAll(
      ...(['1:*', { flags: true, uid: true }, { changedSince: highestModseq }] as const),
    )
    expect(changed.map(({ uid }) => uid)).toEqual(age === 'today' ? [2, 4] : [2, 3, 4])
    await program.messageFlagsAdd('2:4', ['$Seen-before'], {
      ...{ uid: true, unchangedSince: highestModseq },
    })
    const kept = (await flags('INBOX')).map((each) => each.includes('$Seen-before'))
    expect(kept).toEqual(age === 'today' ? [false, true, false] : [true, true, true])
    await leave(program, other)
  })
})
