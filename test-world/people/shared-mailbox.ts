/** A shared mailbox full of marked words, the people around it, and every state that a right to read it can be in. */
import { expect } from 'vitest'
import type { ErrorType } from '#contract/errors.ts'
import { endRightsDue } from '#server/features/mailboxes/access/change-readers.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import type { openHttpServer } from '#server/http/http-server.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '../api-client.ts'
import type { TestApp } from '../app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  type Mailbox,
  type User,
} from '../builders.ts'
import { aSession } from '../session.ts'
import { aHolder } from './holders.ts'

type Server = Awaited<ReturnType<typeof openHttpServer>>

export type Person = { user: User; box: Mailbox; client: ApiClient; headers: Headers }
type Headers = Record<string, string>

/** The workspace with its people. Tom reads what Eva reads; what he has for himself is marked. */
export type World = {
  app: TestApp
  server: Server
  workspaceId: string
  otherId: string
  admin: ApiClient
  people: Domain
  tom: Person
}

export const aWorld = async (app: TestApp, server: Server): Promise<World> => {
  const user = await aUser(app)
  const members = [{ user, role: 'Admin' as const }]
  const { id: workspaceId } = await aWorkspace(app, { members })
  const { id: otherId } = await aWorkspace(app, { members })
  const people = await aDomain(app, { workspaceId, active: true })
  app.clock.advance({ days: 2 })
  const admin = await aClient(app, server, user)
  const world = { app, server, workspaceId, otherId, admin, people }
  const tom = await aPerson(world, { firstName: 'Tom' })
  await keepForHimself(app, tom)
  return { ...world, tom }
}

/** Stand in what Tom keeps for himself. */
export const TOMS_WORDS = ['zqtomzq', 'Pacific/Chatham']

const keepForHimself = async (app: TestApp, { box, client }: Person): Promise<void> => {
  const [mark = '', timeZone = ''] = TOMS_WORDS
  const at = `/mailboxes/${box.id}`
  await arrive(app, box, mark)
  await must(client, 'PATCH', `${at}/settings`, { displayName: mark, signature: `<p>${mark}</p>` })
  await must(client, 'PUT', `${at}/vacation`, vacationOf(mark))
  await must(client, 'POST', `${at}/folders`, { name: mark })
  await must(client, 'POST', `${at}/messages`, {
    ...{ to: [`${mark}@else.example`], subject: mark, text: mark },
  })
  const preferences = { timeZone, timeFormat: '24h', dateFormat: 'day-first', wantsDnsMails: false }
  await must(client, 'PUT', '/preferences', preferences)
}

const aClient = async (app: TestApp, server: Server, user: Pick<User, 'id'>) =>
  anApiClient(server, (await aSession(app, user)).headers)

/** The holder of a mailbox. */
export const aPerson = async (
  { app, server, people }: Omit<World, 'tom'>,
  given: Parameters<typeof aMailbox>[1] = {},
): Promise<Person> => {
  const box = await aMailbox(app, { domain: people, ...given })
  const user = await aHolder(app, box)
  const { headers } = await aSession(app, user)
  return { user, box, headers, client: anApiClient(server, headers) }
}

/** What a route can name of the mailbox. */
export type Shared = {
  box: Mailbox
  holder: Person
  /** Stands in everything that the mailbox holds. */
  mark: string
  ids: Record<string, string>
}

/** A link that was made by this reader and is still good. */
export const anExport = async ({ client }: Pick<Person, 'client'>, { box }: Shared) =>
  (await must(client, 'POST', `/mailboxes/${box.id}/exports`, {})).token as string

let marks = 0

export const aSharedMailbox = async (world: World): Promise<Shared> => {
  const { app, workspaceId, admin } = world
  marks += 1
  const mark = `zq${marks}zq`
  const domain = await aDomain(app, { workspaceId, active: true })
  const holder = await aPerson(world, { domain, localPart: `info-${mark}` })
  const { box, client } = holder
  const at = `/mailboxes/${box.id}`
  await arrive(app, box, mark)
  const letter = { to: [`${mark}@else.example`], subject: mark, html: `<p>${mark}</p>` }
  const written = { ...letter, cc: [], bcc: [], writer: newId(), save: 1, basedOn: 'first' }
  const write = (path: string, body: object) => must(client, 'POST', `${at}${path}`, body)
  const file = { filename: `${mark}.txt`, contentType: 'text/plain', content: 'aGVsbG8=' }
  const [uploadId, other] = [
    (await write('/uploads', file))._id,
    (await write('/uploads', file))._id,
  ]
  const draft = await write('/drafts', { ...written, uploads: [other], draft: newId() })
  const sendKey = newId()
  await write('/sends', { ...written, uploads: [], draft: newId(), key: sendKey })
  const [message] = (await must(client, 'GET', `${at}/messages`)).items
  const messages = [message._id]
  const mbox = { filename: `${mark}.mbox`, fingerprint: '1', size: 10, folder: 'archive' }
  await must(client, 'PATCH', `${at}/settings`, { signature: `<p>${mark}</p>` })
  await must(client, 'PUT', `${at}/vacation`, vacationOf(mark))
  const ids = {
    ...{ messageId: message._id, draftId: draft._id, uploadId, sendKey, userId: world.tom.user.id },
    folderId: (await write('/folders', { name: mark }))._id,
    importId: (await write('/imports', mbox))._id,
    exportId: (await write('/exports', {}))._id,
    changeId: (await write('/changes', { messages, isStarred: true }))._id,
    senderId: (await write('/picture-senders', { messageId: message._id }))._id,
    aliasId: (await must(admin, 'POST', `${at}/aliases`, { email: `${mark}@${domain.name}` }))._id,
    ...{ n: '0', start: '0' },
  }
  return { box, holder, mark, ids }
}

const vacationOf = (text: string) => ({
  ...{ isOn: true, firstDay: '', lastDay: '', timeZone: 'UTC', subject: text, text },
})

/** Pictures, an invitation and a list to leave are in the letter, so that the routes of each have something to answer. */
const arrive = async (app: TestApp, box: Mailbox, mark: string): Promise<void> => {
  const invitation = [
    ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', `UID:${mark}`, `SUMMARY:${mark}`],
    ...['DTSTART:20261201T090000Z', 'ORGANIZER:mailto:grace@else.example', 'SEQUENCE:0'],
    ...[`ATTENDEE:mailto:${box.email}`, 'END:VEVENT', 'END:VCALENDAR'],
  ]
  const raw = [
    ...[`From: ${mark} <${mark}@else.example>`, `Subject: ${mark}`, 'MIME-Version: 1.0'],
    `List-Unsubscribe: <mailto:${mark}@else.example>`,
    ...[`Message-ID: <${mark}@else.example>`, 'Content-Type: multipart/mixed; boundary=b', ''],
    ...[
      '--b',
      'Content-Type: text/html',
      '',
      `<p>${mark}<img src="https://${mark}.example/a.png">`,
    ],
    ...['--b', `Content-Type: text/calendar; name=${mark}.ics`, '', ...invitation, '--b--'],
  ].join('\r\n')
  const authentication = { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' } as const
  const given = { raw: Buffer.from(raw), mailFrom: `${mark}@else.example`, authentication }
  await receiveMessage(app, app.db, given, [{ mailboxId: box.id, workspaceId: box.workspaceId }])
}

export const must = async (client: ApiClient, method: string, path: string, body?: unknown) => {
  const answer = await client.call(method, path, body)
  const context = `${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`
  expect(answer.status, context).toBeLessThan(300)
  return answer.body
}

export const give = (world: World, { box }: Shared, { user }: Person, more: object = {}) =>
  must(world.admin, 'POST', `/mailboxes/${box.id}/readers`, { userId: user.id, ...more })

type Become = (world: World, shared: Shared, eva: Person) => Promise<unknown>
/** What every route of the mailbox answers; null: what it answers its own holder. */
type Answer = 'FORBIDDEN' | 'NOT_EXISTS' | 'JWT_EXPIRED' | null
export type State = {
  /** The way there, while the right still stands. */
  prepare?: Become
  become: Become
  answer: Answer
  /** What it answers to sending. */
  sending?: ErrorType
  /** Other routes that answer something else, by what they do. */
  but?: 'speaks for nobody' | 'access of what is not deleted'
}

const endRight: Become = (world, { box }, { user }) =>
  must(world.admin, 'DELETE', `/mailboxes/${box.id}/readers/${user.id}`)
const suspend: Become = (world, _shared, { box }) =>
  must(world.admin, 'PATCH', `/mailboxes/${box.id}`, { status: 'suspended' })
const end = (admin: ApiClient, { id, email }: Mailbox) =>
  must(admin, 'POST', `/deleted/${id}/end`, { name: email })
const changeDomain = ({ app }: World, { box }: Shared, set: Partial<Domain>) =>
  app.db.updateTable('domains').set(set).where('id', '=', box.domainId).execute()

/** Eva was given the mailbox in each of them but the first. */
export const states: Record<string, State> = {
  'never given': { answer: 'FORBIDDEN', become: endRight },
  given: { answer: null, become: async () => {} },
  'given to read': {
    ...{ answer: null, but: 'speaks for nobody' },
    become: (world, shared, eva) => give(world, shared, eva, { canSend: false }),
  },
  'taken back': { answer: 'FORBIDDEN', become: endRight },
  left: {
    answer: 'FORBIDDEN',
    become: (_world, { box }, { client, user }) =>
      must(client, 'DELETE', `/mailboxes/${box.id}/readers/${user.id}`),
  },
  'at its end': {
    answer: 'FORBIDDEN',
    prepare: (world, shared, eva) => {
      const endsAt = new Date(world.app.clock.now().getTime() + 1000).toISOString()
      return give(world, shared, eva, { endsAt })
    },
    become: ({ app }) => {
      app.clock.advance({ seconds: 1 })
      return endRightsDue(app)
    },
  },
  moved: {
    answer: 'NOT_EXISTS',
    become: (world, { box }) =>
      must(world.admin, 'POST', `/domains/${box.domainId}/move`, { workspaceId: world.otherId }),
  },
  suspended: {
    ...{ answer: null, sending: 'MAILBOX_NOT_ACTIVE' },
    become: (world, shared) => suspend(world, shared, shared.holder),
  },
  'on a domain that stopped': {
    ...{ answer: null, sending: 'DOMAIN_NOT_ACTIVE' },
    become: (world, shared) => changeDomain(world, shared, { isVerified: false, isActive: false }),
  },
  'being deleted': {
    ...{ answer: null, sending: 'MAILBOX_DELETED', but: 'access of what is not deleted' },
    become: (world, { box }) => must(world.admin, 'DELETE', `/mailboxes/${box.id}`),
  },
  'ended for good': {
    answer: 'NOT_EXISTS',
    prepare: ({ admin }, { box }) => must(admin, 'DELETE', `/mailboxes/${box.id}`),
    become: ({ admin }, { box }) => end(admin, box),
  },
  'its reader is suspended': { answer: 'JWT_EXPIRED', become: suspend },
  'its reader handed over': {
    answer: 'JWT_EXPIRED',
    become: (world, _shared, { box }) =>
      must(world.admin, 'POST', `/mailboxes/${box.id}/hand-over`, { userId: world.tom.user.id }),
  },
  'access of its reader revoked': {
    answer: 'JWT_EXPIRED',
    become: (world, _shared, { box }) => must(world.admin, 'DELETE', `/mailboxes/${box.id}/access`),
  },
  "its reader's own mailbox ended": {
    answer: 'JWT_EXPIRED',
    prepare: ({ admin }, _shared, { box }) => must(admin, 'DELETE', `/mailboxes/${box.id}`),
    become: ({ admin }, _shared, { box }) => end(admin, box),
  },
}
