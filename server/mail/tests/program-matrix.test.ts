/**
 * Every command of the IMAP door, and every stage of a mail that is handed in, times every state of a right to read a mailbox and
 * every credential that opens nothing. A new command or a new state without a line turns it red. The routes of app passwords
 * are in the matrix of the web door.
 */
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '#contract/mail/app-passwords.ts'
import type { SignIn } from '#server/features/programs/sign-in.ts'
import { signInToMailbox } from '#server/features/programs/sign-in-to-mailbox.ts'
import { openHttpServer } from '#server/http/http-server.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aWorkspace, type Mailbox } from '#test-world/builders.ts'
import { stateOf, stateOfMailbox } from '#test-world/database-state.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import {
  aPerson,
  aSharedMailbox,
  aWorld,
  give,
  must,
  type Person,
  type Shared,
  states,
  type World,
} from '#test-world/people/shared-mailbox.ts'
import { anSmtpClient, onTheWire, type SmtpClient } from '#test-world/smtp/smtp-client.ts'
import { plainOf } from '#test-world/smtp/submission-world.ts'
import { type OpenImap, openImap } from '../imap/listener.ts'
import { Output } from '../imap/output.ts'
import { type PlainCommand, runCommand } from '../imap/run-command.ts'
import type { Session } from '../imap/session.ts'
import { FolderGone } from '../imap/sync.ts'
import { FrameReader } from '../imap/wire/frames.ts'
import { commandNames, readCommand } from '../imap/wire/read-command.ts'
import { type OpenSubmission, openSubmission } from '../submission/listener.ts'
import { everyCommand, type Line } from './every-command.ts'

let app: TestApp
let server: FastifyInstance
let world: World
let imap: OpenImap
let submission: OpenSubmission
/** How each command ends for the holder of a mailbox, with the Inbox open. */
let reference: Map<string, Told>
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  world = await aWorld(app, server as World['server'])
  imap = await openImap(app)
  submission = await openSubmission(app)
  const shared = await aSharedMailbox(world)
  const password = await aPassword(shared.holder, shared.box)
  reference = await askEach(shared, { login: shared.box.email, password })
})
afterAll(async () => {
  for (const client of clients) client.close()
  await imap.close()
  await submission.close()
  await server.close()
  await app.close()
})

type Credentials = { login: string; password: string }
type Told = { ending: string; bytes: string }

const clients: { close(): void }[] = []
const lines = Object.entries(everyCommand)

const aPassword = async (
  { client }: Person,
  { id }: Pick<Mailbox, 'id'>,
  given: { scopes?: Scope[]; expiresAt?: string } = {},
): Promise<string> => {
  const form = { name: 'Phone', scopes: ['imap', 'smtp'], ...given }
  return (await must(client, 'POST', `/mailboxes/${id}/app-passwords`, form)).password
}

const connect = async (): Promise<ImapClient> => {
  const client = await ImapClient.connect(imap.imaps)
  clients.push(client)
  await client.until('* OK')
  return client
}

const logIn = (client: ImapClient, { login, password }: Credentials) =>
  client.run(`LOGIN ${login} ${password}`)

/** The folder of a shared mailbox that is not one of the usual ones. */
const on = ({ mark }: Shared) => ({ folder: mark, mark })

const say = async (client: ImapClient, text: string): Promise<Told> => {
  const tag = client.nextTag()
  client.send(`${tag} ${text}\r\n`)
  const told: string[] = []
  for (;;) {
    const line = await client.line()
    if (line === null) return { ending: 'ended', bytes: told.join('\n') }
    told.push(line)
    if (line.startsWith('+ Idling')) client.send('DONE\r\n')
    if (!line.startsWith(`${tag} `)) continue
    return { ending: line.slice(tag.length + 1), bytes: told.join('\n') }
  }
}

/** Each on a connection of its own, with the Inbox open. */
const askEach = async (shared: Shared, credentials: Credentials): Promise<Map<string, Told>> => {
  const answers = new Map<string, Told>()
  for (const [name, line] of lines) {
    const client = await connect()
    expect((await logIn(client, credentials)).ending, name).toMatch(/^OK/)
    await client.ok('SELECT INBOX')
    answers.set(name, await say(client, line.say(on(shared))))
    client.close()
  }
  return answers
}

/** On one connection that nobody has signed in to. */
const askAsStranger = async (client: ImapClient, shared: Shared): Promise<Map<string, Told>> => {
  const answers = new Map<string, Told>()
  for (const [name, line] of lines) answers.set(name, await say(client, line.say(on(shared))))
  return answers
}

const endingsOf = (answers: Map<string, Told>): Record<string, string> =>
  Object.fromEntries([...answers].map(([name, { ending }]) => [name, firstWord(ending)]))
const firstWord = (ending: string): string => ending.split(' ')[0] ?? ''

const allOf = (rule: (line: Line) => string): Record<string, string> =>
  Object.fromEntries(lines.map(([name, line]) => [name, rule(line)]))

const expectNothingOf = ({ mark }: Shared, answers: Map<string, Told>): void => {
  for (const [name, { bytes }] of answers) expect(bytes, name).not.toContain(mark)
}

/** A stranger is told to sign in, whatever they name. */
const expectRefused = (answers: Map<string, Told>): void => {
  for (const [name, { needs }] of lines) {
    const { ending = '' } = answers.get(name) ?? {}
    if (needs === 'nothing') continue
    expect(ending, name).toMatch(/^(?:NO|BAD) Please sign in first$/)
  }
}

test('each command of the door has its line, and its reader gets an answer to it', () => {
  expect(Object.keys(everyCommand).toSorted()).toEqual([...commandNames].toSorted())
  expect(endingsOf(reference)).toEqual(allOf(({ ends = 'OK' }) => ends))
  const marked = [...reference].filter(([, { bytes }]) => /zq\d+zq/.test(bytes))
  expect(marked.map(([name]) => name)).toEqual(
    expect.arrayContaining(['LIST', 'LSUB', 'STATUS', 'FETCH', 'UID FETCH', 'GETQUOTAROOT']),
  )
})

/** How the reader is answered who signs in with an app password that was made while the right stood. null: as its holder is. */
const signIns: Record<string, string | null> = {
  'never given': 'NO [AUTHENTICATIONFAILED]',
  given: null,
  'given to read': null,
  'taken back': 'NO [AUTHENTICATIONFAILED]',
  left: 'NO [AUTHENTICATIONFAILED]',
  'at its end': 'NO [AUTHENTICATIONFAILED]',
  moved: 'NO [AUTHENTICATIONFAILED]',
  suspended: 'NO [AUTHORIZATIONFAILED] This mailbox is suspended',
  'on a domain that stopped': null,
  'being deleted': 'NO [AUTHORIZATIONFAILED] This mailbox is not active',
  'ended for good': 'NO [AUTHENTICATIONFAILED]',
  'its reader is suspended': 'NO [AUTHORIZATIONFAILED] This mailbox is suspended',
  'its reader handed over': 'NO [AUTHENTICATIONFAILED]',
  'access of its reader revoked': 'NO [AUTHENTICATIONFAILED]',
  "its reader's own mailbox ended": 'NO [AUTHENTICATIONFAILED]',
}

describe.each(Object.entries(states))('a reader of a shared mailbox: %s', (name, state) => {
  test('each command and each stage of a mail answers by the rule', async () => {
    const refusal = signIns[name] ?? null
    const shared = await aSharedMailbox(world)
    const eva = await aPerson(world)
    await give(world, shared, eva)
    const credentials = {
      login: shared.box.email,
      password: await aPassword(eva, shared.box),
    }
    const open = await connect()
    expect((await logIn(open, credentials)).ending).toMatch(/^OK/)
    await open.ok('SELECT INBOX')
    const former = await aSession(credentials)
    const handing = await Promise.all(stages.map((stage) => handInUntil(stage, credentials)))
    await state.prepare?.(world, shared, eva)
    await state.become(world, shared, eva)
    const before = await stateOf(app.db)

    const sent = await Promise.all(handing.map((finish) => finish()))
    if (refusal === null) {
      expect((await open.run('NOOP')).ending).toMatch(/^OK/)
      const mayNot = { 'given to read': /^550 5\.7\.1/, 'on a domain that stopped': /^[45]5/ }[name]
      for (const reply of sent) expect(reply).toMatch(mayNot ?? /^250 2\.6\.0/)
      expect(endingsOf(await askEach(shared, credentials))).toEqual(endingsOf(reference))
      return
    }
    for (const [n, reply] of sent.entries()) expect(reply, stages[n]).toMatch(/^(421|535|ended)/)
    expect(await open.ended()).toBe(true)
    const late = await connect()
    expect((await logIn(late, credentials)).ending.startsWith(refusal)).toBe(true)
    const answers = await askAsStranger(late, shared)
    expectRefused(answers)
    expectNothingOf(shared, answers)
    // A connection that has not heard of it yet is refused by the features.
    if (state.answer === 'FORBIDDEN' || state.answer === 'NOT_EXISTS') {
      const told = await runEach(former, shared)
      expectNothingOf(shared, told)
      expectOnlyRefusals(told)
    }
    expect(await stateOf(app.db)).toBe(before)
  })
})

test('each state of a right has its answer to a sign-in', () => {
  expect(Object.keys(signIns)).toEqual(Object.keys(states))
})

/** Which open nothing; `prepare` makes them, with the mark of a mailbox. */
const credentials: Record<
  string,
  { make(shared: Shared): Promise<Credentials>; imap: RegExp; smtp: RegExp }
> = {
  'a password that was ended': {
    make: async ({ box, holder }) => {
      const path = `/mailboxes/${box.id}/app-passwords`
      const form = { name: 'Phone', scopes: ['imap', 'smtp'] }
      const { _id, password } = await must(holder.client, 'POST', path, form)
      await must(holder.client, 'DELETE', `${path}/${_id}`)
      return { login: box.email, password }
    },
    imap: /^NO \[AUTHENTICATIONFAILED\]/,
    smtp: /^535 5\.7\.8 The address or the password/,
  },
  'a password whose day is over': {
    make: async ({ box, holder }) => {
      const expiresAt = new Date(app.clock.now().getTime() + 1_000).toISOString()
      const password = await aPassword(holder, box, { expiresAt })
      app.clock.advance({ seconds: 1 })
      return { login: box.email, password }
    },
    imap: /^NO \[EXPIRED\]/,
    smtp: /^535 5\.7\.8 This app password has expired/,
  },
  'a password of another tenant': {
    make: async ({ box }) => {
      const stranger = await aStranger()
      return { login: box.email, password: await aPassword(stranger, stranger.box) }
    },
    imap: /^NO \[AUTHENTICATIONFAILED\]/,
    smtp: /^535 5\.7\.8 The address or the password/,
  },
  'a password of a colleague for their own mailbox': {
    make: async ({ box }) => ({
      login: box.email,
      password: await aPassword(world.tom, world.tom.box),
    }),
    imap: /^NO \[AUTHENTICATIONFAILED\]/,
    smtp: /^535 5\.7\.8 The address or the password/,
  },
  'a mailbox that is not paid for': {
    make: async ({ box, holder }) => {
      const password = await aPassword(holder, box)
      const { id } = box
      const set = { status: 'inactive' as const }
      await app.db.updateTable('mailboxes').set(set).where('id', '=', id).execute()
      return { login: box.email, password }
    },
    imap: /^NO \[AUTHORIZATIONFAILED\] This mailbox is not active/,
    smtp: /^535 5\.7\.8 This mailbox is not active/,
  },
}

describe.each(Object.entries(credentials))('%s', (_name, { make, imap: told, smtp }) => {
  test('signs in by no command, and none is answered after it', async () => {
    const shared = await aSharedMailbox(world)
    const { login, password } = await make(shared)
    const before = await stateOf(app.db)
    const client = await connect()
    expect((await logIn(client, { login, password })).ending).toMatch(told)
    const plain = Buffer.from(`\0${login}\0${password}`).toString('base64')
    expect((await client.run(`AUTHENTICATE PLAIN ${plain}`)).ending).toMatch(told)
    const answers = await askAsStranger(client, shared)
    expectRefused(answers)
    expectNothingOf(shared, answers)
    const sender = await greeted()
    expect(await sender.say(plainOf(login, password))).toMatch(smtp)
    for (const command of [`MAIL FROM:<${login}>`, 'RCPT TO:<eve@elsewhere.example>', 'DATA'])
      expect(await sender.say(command)).toMatch(/^5/)
    sender.close()
    expect(await stateOf(app.db)).toBe(before)
  })
})

test.each([
  ['imap', 'This app password is for reading mail only'],
  ['smtp', 'This app password is for sending mail only'],
] as const)('a password for %s alone opens no other door', async (scope, sentence) => {
  const shared = await aSharedMailbox(world)
  const given = {
    login: shared.box.email,
    password: await aPassword(shared.holder, shared.box, { scopes: [scope] }),
  }
  const [client, sender] = [await connect(), await greeted()]
  const { ending } = await logIn(client, given)
  const reply = await sender.say(plainOf(given.login, given.password))
  if (scope === 'imap') {
    expect([firstWord(ending), reply]).toEqual(['OK', `535 5.7.8 ${sentence}`])
    return
  }
  expect([ending, firstWord(reply)]).toEqual([`NO [AUTHORIZATIONFAILED] ${sentence}`, '235'])
  const answers = await askAsStranger(client, shared)
  expectRefused(answers)
  expectNothingOf(shared, answers)
})

describe('whoever is signed in to a mailbox of another tenant', () => {
  test('names nothing of this one', async () => {
    const [shared, stranger] = [await aSharedMailbox(world), await aStranger()]
    const given = { login: stranger.box.email, password: await aPassword(stranger, stranger.box) }
    const before = await stateOfMailbox(app.db, shared.box.id)
    const { email } = shared.box
    // Names that other servers give to the mailboxes of others.
    for (const folder of [shared.mark, `${email}/INBOX`, `#user/${email}`, `../${email}`]) {
      const client = await connect()
      expect((await logIn(client, given)).ending).toMatch(/^OK/)
      expect((await say(client, 'LIST "" "*"')).bytes).not.toContain(folder)
      for (const [name, line] of lines.filter(([, each]) => namesFolder(each))) {
        await client.ok('SELECT INBOX')
        const { ending } = await say(client, line.say({ folder, mark: shared.mark }))
        // The name is free in their own mailbox.
        expect(ending, `${name} ${folder}`).toMatch(name === 'CREATE' ? /^OK / : /^NO /)
        if (name === 'CREATE') await client.ok(`DELETE ${folder}/inner`)
      }
      client.close()
    }
    expect(await stateOfMailbox(app.db, shared.box.id)).toBe(before)
  })

  test.each<[string, Line['needs'][], (own: SignIn, foreign: SignIn) => SignIn]>([
    ['mailbox', ['sign-in', 'folder'], (own, { mailboxId }) => ({ ...own, mailboxId })],
    ['folder', ['folder'], (own) => own],
    [
      'workspace',
      ['sign-in', 'folder'],
      (own, { mailboxId, workspaceId }) => ({
        ...{ ...own, mailboxId, workspaceId, who: { ...own.who, workspaceId } },
      }),
    ],
  ])(
    'is refused by the features, should a session ever have its %s',
    async (_what, needs, forge) => {
      const [shared, stranger] = [await aSharedMailbox(world), await aStranger()]
      const sessionOf = async (person: Person) =>
        aSession({ login: person.box.email, password: await aPassword(person, person.box) })
      const [session, own] = [await sessionOf(shared.holder), await sessionOf(stranger)]
      if (session.signIn === null || own.signIn === null) throw new Error('nobody signed in')
      const before = await stateOfMailbox(app.db, shared.box.id)
      session.signIn = forge(own.signIn, session.signIn)
      const told = await runEach(session, shared, needs)
      expectNothingOf(shared, told)
      expectOnlyRefusals(told)
      expect(told.size).toBeGreaterThan(15)
      expect(await stateOfMailbox(app.db, shared.box.id)).toBe(before)
    },
  )
})

const namesFolder = ({ say: text }: Line): boolean =>
  text({ folder: 'one', mark: '' }) !== text({ folder: 'two', mark: '' })

/** Tells nothing of a mailbox, whoever asks. */
const HARMLESS = ['ENABLE', 'NAMESPACE', 'UNSELECT']

const expectOnlyRefusals = (told: Map<string, Told>): void => {
  for (const [name, { ending }] of told)
    expect(ending, name).toMatch(
      HARMLESS.includes(name) ? /^(OK|gone)/ : /^(NO \[(NOPERM|NONEXISTENT|TRYCREATE)\]|gone)/,
    )
}

/** Signed in with the Inbox open, without a socket and without the watch that ends connections. */
const aSession = async (given: Credentials): Promise<Session> => {
  const signIn = await signInToMailbox(app, { ...given, scope: 'imap', ip: '127.0.0.1' })
  if ('refused' in signIn) throw new Error(signIn.refused)
  const session: Session = {
    ...{ app, ip: '127.0.0.1', out: new Output(new PassThrough()), isSecure: true, signIn },
    ...{
      view: null,
      watch: null,
      enabled: new Set<string>(),
      hasNews: false,
      isClosed: false,
      program: null,
    },
  }
  const two = await run(session, everyCommand.APPEND?.say({ folder: '', mark: 'second' }) ?? '')
  const opened = await run(session, 'SELECT INBOX')
  for (const { ending } of [two, opened]) expect(ending).toMatch(/^OK/)
  return session
}

const run = async (session: Session, text: string): Promise<Told> => {
  const frames = new FrameReader({ lineBytes: 10_000, admits: () => true })
  frames.push(Buffer.from(`t ${text}\r\n`))
  const event = frames.next()
  if (event?.kind !== 'command') throw new Error(`${text} is no command`)
  const read = readCommand(event.frame, { isUtf8: false, now: app.clock.now().getTime() })
  if ('fault' in read) throw new Error(`${text}: ${read.fault}`)
  const wire = new PassThrough()
  session.out.changeTo(wire)
  // A connection that has news tells them with its next command.
  session.hasNews = true
  const isGone = await runCommand(session, 't', read.command as PlainCommand).then(
    () => false,
    (error: unknown) => {
      if (error instanceof FolderGone) return true
      throw error
    },
  )
  session.out.changeTo(new PassThrough())
  const bytes = String(wire.read() ?? '')
  const ending = isGone ? 'gone' : (/^t (.*)\r\n$/m.exec(bytes)?.[1] ?? '')
  return { ending, bytes }
}

/** With the folder open that this session has open now. */
const runEach = async (
  session: Session,
  shared: Shared,
  needs: Line['needs'][] = ['sign-in', 'folder'],
): Promise<Map<string, Told>> => {
  const { view } = session
  const told = new Map<string, Told>()
  for (const [name, line] of lines) {
    if (!needs.includes(line.needs) || ['IDLE', 'COMPRESS'].includes(name)) continue
    session.view = view
    told.set(name, await run(session, line.say(on(shared))))
  }
  return told
}

/** The holder of a mailbox in another workspace. */
const aStranger = async (): Promise<Person> => {
  const { id: workspaceId } = await aWorkspace(app)
  return aPerson(world, { domain: await aDomain(app, { workspaceId, active: true }) })
}

const stages = ['MAIL', 'RCPT', 'DATA', 'the dot'] as const

const greeted = async (): Promise<SmtpClient> => {
  const client = await anSmtpClient(submission.tls)
  clients.push(client)
  await client.startTls()
  await client.reply()
  await client.say('EHLO program.example.net')
  return client
}

/** Hands a mail in up to here. @returns what does the rest, and tells the last reply */
const handInUntil = async (
  stage: (typeof stages)[number],
  { login, password }: Credentials,
): Promise<() => Promise<string>> => {
  const client = await greeted()
  expect(await client.say(plainOf(login, password))).toMatch(/^235/)
  const letter = `From: ${login}\r\nSubject: ${stage}\r\n\r\nHello\r\n`
  const steps = [
    () => client.say(`MAIL FROM:<${login}>`),
    () => client.say('RCPT TO:<eve@elsewhere.example>'),
    () => client.say('DATA'),
    () => {
      client.write(onTheWire(letter))
      return client.reply()
    },
  ]
  const at = stages.indexOf(stage)
  for (const step of steps.slice(0, at)) expect(await step()).toMatch(/^[23]/)
  return async () => {
    let reply = ''
    for (const step of steps.slice(at)) {
      reply = await step().catch(() => 'ended')
      if (!/^[23]/.test(reply)) break
    }
    client.close()
    return reply
  }
}
