/**
 * A full form of every object is saved through the front door and read back: a field that is lost on the way turns this
 * red. The forms come from the contract, so that a new field is covered as soon as it is declared.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createMailbox, mailboxForm } from '#contract/mailboxes.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { newId } from '#server/lib/ids.ts'
import {
  type ApiClient,
  anApiClient,
  aVerifiedAccount,
  mailedToken,
} from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, letRead, type Mailbox } from '#test-world/builders.ts'
import { setUpTotp } from '#test-world/people/factors.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { type Form, fullForm } from './full-form.ts'
import { goodBodies } from './good-bodies.ts'

const routes = new Map((await declaredRoutes()).map((route) => [nameOf(route), route]))

let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let workspaceId: string
/** The caller makes other workspaces, too. */
let always: Record<string, string> = {}
let domain: { id: string; name: string; workspaceId: string }
let box: Mailbox
/** A message in it. */
let messageId: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  ada = await signedIn('ada@example.org')
  const profile = await read('/profile')
  workspaceId = (await read('/workspaces'))[0]._id
  always = { 'x-workspace-id': workspaceId }
  domain = await aDomain(app, { workspaceId, active: true, name: 'ours.example' })
  await storeKey(app.db, domain, await makeKey(app))
  const holder = await aDomain(app, { workspaceId, active: true, name: 'boxes.example' })
  await storeKey(app.db, holder, await makeKey(app))
  box = await aMailbox(app, { domain: holder })
  await letRead(app, box, profile._id)
  await receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(`Message-ID: <${MESSAGE_ID}>\r\n\r\nHello\r\n`),
      mailFrom: '',
      authentication: null,
    },
    [{ mailboxId: box.id, workspaceId }],
  )
  messageId = (await read(`/mailboxes/${box.id}/messages`)).items[0]._id
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const signedIn = async (email: string): Promise<ApiClient> => {
  const { token } = await aVerifiedAccount(app, anApiClient(server), email)
  return anApiClient(server, { authorization: `Bearer ${token}` })
}

const read = async (path: string, client = ada) => {
  const answer = await client.call('GET', path, undefined, client === ada ? always : {})
  expect(answer.status, path).toBe(200)
  return answer.body
}

const write = async (name: string, params: Record<string, string>, form: Form) => {
  const [method = '', path = ''] = name.split(' ')
  const url = path.replace(/\{(\w+)\}/g, (_all, param: string) => params[param] ?? '')
  const answer = await ada.call(method, url, form, always)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

/** Every field that was sent is there, and as it was sent. */
const expectKept = (sent: Form, found: unknown) => {
  for (const [field, value] of Object.entries(sent))
    expect(found, `${field} is lost`).toMatchObject({ [field]: value })
}

const inBox = () => ({ id: box.id })
const byId = (rows: { _id: string }[], id: string) => rows.find(({ _id }) => _id === id)

type Stored = {
  params?: () => Record<string, string> | Promise<Record<string, string>>
  given?: () => Form | Promise<Form>
  /** The object as its readers get it. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route
  found: (answer: any, params: Record<string, string>) => Promise<unknown>
  /**
   * What the object has of the form, where that is not field by field: fields that it shows in another way, and without
   * those that nobody reads. The rest goes through as it is, so that a new field does.
   */
  shown?: (form: Form) => Form
}

const people = (texts: unknown) =>
  (texts as string[]).map((text) => {
    const [, name = '', address = text] = /^(.*) <(.*)>$/.exec(text) ?? []
    return { name, address }
  })

const MESSAGE_ID = 'first@elsewhere.example'
const message = (_id: string) => read(`/mailboxes/${box.id}/messages/${_id}`)

const anUpload = async (): Promise<string> =>
  (
    await write(
      'POST /mailboxes/{id}/uploads',
      inBox(),
      goodBodies['POST /mailboxes/{id}/uploads'] ?? {},
    )
  )._id

/** A message answers another one or passes one on. */
const writing = async (
  form: Form = { inReplyTo: messageId, forwardOf: undefined },
): Promise<Form> => ({
  ...form,
  // Would leave out the HTML part; server/features/sending/writing.test.ts tries it.
  isPlainText: undefined,
  from: box.email,
  uploads: [await anUpload()],
})

const lines = (rest: Form, name: string) => name in rest && { [name]: `${rest[name]}\n` }

/** Which form saved it is between the forms. */
const written = ({
  writer: _,
  save: __,
  basedOn: ___,
  uploads: ____,
  isPlainText: _____,
  ...rest
}: Form): Form => ({
  ...rest,
  // The last line of a mail ends, too.
  ...lines(rest, 'text'),
  ...lines(rest, 'html'),
  from: { address: rest.from },
  to: people(rest.to),
  cc: people(rest.cc),
  bcc: people(rest.bcc),
})

const aDraft = async ({ _id }: { _id: string }) => ({
  ...(await message(_id)),
  ...(await read(`/mailboxes/${box.id}/drafts/${_id}`)),
})

const stored: Record<string, Stored> = {
  'PATCH /profile': {
    given: () => ({ firstName: 'Augusta', lastName: 'King', email: 'augusta@example.org' }),
    found: () => read('/profile'),
    shown: ({ password: _, email, ...names }) => ({ ...names, pendingEmail: email }),
  },
  'PUT /preferences': { found: () => read('/preferences') },
  'PUT /preferences/writing': { found: () => read('/preferences') },
  'PUT /workspace-settings/mail-programs': {
    found: () => read('/workspace-settings/mail-programs'),
  },
  'PUT /workspace-settings/second-factor': {
    given: async () => {
      await setUpTotp(app, ada, always)
      return {}
    },
    found: () => read('/workspace-settings/second-factor'),
  },
  'PUT /company': { found: () => read('/company') },
  'PUT /company/buyer': { found: () => read('/company') },
  'POST /workspaces': {
    // The caller of these tests stays in the first one.
    found: async ({ _id }) => ({ ...byId(await read('/workspaces'), _id), isCurrent: true }),
  },
  'PATCH /workspaces/{id}': {
    params: () => ({ id: workspaceId }),
    found: async ({ _id }) => byId(await read('/workspaces'), _id),
  },
  'POST /views': { found: async ({ _id }) => byId(await read('/views'), _id) },
  'POST /api-keys': {
    given: () => ({ domains: [domain.id], mailboxes: [box.id] }),
    found: async ({ _id }) => read(`/api-keys/${_id}`),
  },
  'PATCH /api-keys/{id}': {
    params: async () => ({
      id: (await write('POST /api-keys', {}, { name: 'First', scopes: ['mail:send'] }))._id,
    }),
    given: () => ({ domains: [domain.id], mailboxes: [box.id] }),
    found: async ({ _id }) => read(`/api-keys/${_id}`),
  },
  'PATCH /views/{id}': {
    params: async () => ({ id: (await write('POST /views', {}, aView))._id }),
    found: async ({ _id }) => byId(await read('/views'), _id),
  },
  'POST /invitations': {
    found: async ({ _id }) => byId(await read('/invitations'), _id),
  },
  'POST /domains': { found: ({ _id }) => read(`/domains/${_id}`) },
  'POST /domains/batch': {
    given: () => ({ mode: 'good' }),
    found: ([{ id }]) => read(`/domains/${id}`),
    shown: ({ names }) => ({ name: (names as string[])[0] }),
  },
  'POST /domains/{id}/dns-links': {
    params: () => ({ id: domain.id }),
    found: async ({ _id }) => byId(await read(`/domains/${domain.id}/dns-links`), _id),
    shown: ({ days, ...rest }) => ({ ...rest, expiresAt: inDays(Number(days)) }),
  },
  'POST /dns-links': {
    given: () => ({ ids: [domain.id, box.domainId] }),
    found: async ({ _id }) => byId(await read('/dns-links'), _id),
    shown: ({ days, ids: _, ...rest }) => ({
      ...{ ...rest, domains: ['boxes.example', domain.name], expiresAt: inDays(Number(days)) },
    }),
  },
  'POST /dns-links/{id}/mail': {
    params: async () => ({ id: (await aDnsLink())._id }),
    found: async ({ _id }) => byId(await read(`/domains/${domain.id}/dns-links`), _id),
    shown: ({ email, ...rest }) => ({ ...rest, sentTo: email }),
  },
  'POST /mailboxes': { found: ({ _id }) => read(`/mailboxes/${_id}`) },
  'POST /mailboxes/generate': {
    found: async ([{ _id }]) => byId((await read('/mailboxes')).items, _id),
    shown: ({ count: _, names, domains, ...rest }) => ({
      ...rest,
      ...(names as Form[])[0],
      domain: (domains as string[])[0],
    }),
  },
  'POST /mailboxes/import': {
    found: async ({ rows: [{ email }] }) =>
      (await read('/mailboxes')).items.find((mailbox: Form) => mailbox.email === email),
    shown: ({ table }) => {
      const [_row, firstName, lastName, _email, domain] = String(table).split('\t')
      return { firstName, lastName, domain }
    },
  },
  'PATCH /mailboxes/{id}': {
    params: async () => ({ id: (await aMailbox(app, { domain: await ours() })).id }),
    given: () => ({ email: 'edited@ours.example' }),
    found: ({ _id }) => read(`/mailboxes/${_id}`),
  },
  'PATCH /mailboxes/{id}/settings': {
    params: inBox,
    found: () => read(`/mailboxes/${box.id}/settings`),
  },
  'PUT /mailboxes/{id}/vacation': {
    params: inBox,
    found: () => read(`/mailboxes/${box.id}/vacation`),
  },
  'POST /mailboxes/{id}/aliases': {
    params: inBox,
    found: async ({ _id }) => byId(await read(`/mailboxes/${box.id}/aliases`), _id),
  },
  'POST /mailboxes/{id}/app-passwords': {
    params: inBox,
    found: async ({ _id }) => byId(await read(`/mailboxes/${box.id}/app-passwords`), _id),
  },
  'POST /webhooks': { found: ({ _id }) => read(`/webhooks/${_id}`) },
  'PATCH /webhooks/{id}': {
    params: async () => ({
      id: (await write('POST /webhooks', {}, goodBodies['POST /webhooks'] ?? {}))._id,
    }),
    found: (_answer, params) => read(`/webhooks/${params.id}`),
  },
  'PUT /domains/{id}/catch-all': {
    params: () => ({ id: box.domainId }),
    given: () => ({ mailboxId: box.id }),
    found: async ({ _id }) => (await read(`/domains/${_id}`)).catchAll,
  },
  'POST /domains/{id}/test-mail': {
    params: () => ({ id: box.domainId }),
    given: () => ({ mailboxId: box.id }),
    found: async () => (await read(`/domains/${box.domainId}/test-mail`)).testMail,
    shown: ({ mailboxId: _, ...rest }) => ({ ...rest, from: box.email }),
  },
  'POST /mailboxes/{id}/folders': {
    params: inBox,
    found: async ({ _id }) => byId(await read(`/mailboxes/${box.id}/folders`), _id),
  },
  'PATCH /mailboxes/{id}/folders/{folderId}': {
    params: async () => ({ ...inBox(), folderId: await aFolder() }),
    given: () => ({ name: 'Renamed' }),
    found: async ({ _id }) => byId(await read(`/mailboxes/${box.id}/folders`), _id),
  },
  'POST /mailboxes/{id}/readers': {
    params: inBox,
    given: async () => ({ userId: await aColleague() }),
    found: async ({ _id }) => byId((await read(`/mailboxes/${box.id}/access`)).readers, _id),
    shown: ({ userId, ...rest }) => ({ ...rest, _id: userId }),
  },
  'POST /mailboxes/{id}/hand-over': {
    params: inBox,
    given: async () => ({ userId: await aColleague() }),
    found: async ({ _id }) => ({
      ...byId((await read(`/mailboxes/${box.id}/access`)).readers, _id),
      text: (await read(`/mailboxes/${box.id}/vacation`)).text,
    }),
    shown: ({ userId, replyText, ...rest }) => ({ ...rest, _id: userId, text: replyText }),
  },
  'POST /mailboxes/{id}/readers/me': {
    params: async () => ({ id: (await aMailbox(app, { domain: await ours() })).id }),
    found: async (_, { id }) => (await read(`/mailboxes/${id}/access/log`)).items[0],
  },
  'POST /mailboxes/{id}/access/link': {
    params: inBox,
    found: async () => (await read(`/mailboxes/${box.id}/access`)).link,
    shown: ({ email, ...rest }) => ({ ...rest, mailedTo: email }),
  },
  'PATCH /members/{id}': {
    params: async () => ({ id: await aColleague() }),
    found: async ({ _id }) => byId(await read('/members'), _id),
  },
  'POST /payments': {
    given: async () => {
      const unpaid = await aMailbox(app, { domain: await ours(), status: 'inactive' })
      return { mailboxIds: [unpaid.id] }
    },
    found: async ({ _id }) => byId((await read('/invoices')).items, _id),
    shown: ({ mailboxIds, ...rest }) => ({
      ...rest,
      productName: `Mailbox x ${(mailboxIds as string[]).length}`,
    }),
  },
  'PATCH /mailboxes/{id}/messages/{messageId}': {
    params: () => ({ ...inBox(), messageId }),
    found: () => message(messageId),
  },
  'POST /mailboxes/{id}/messages': {
    params: inBox,
    given: () => ({ from: box.email, inReplyTo: messageId, draft: true }),
    found: async ({ _id }) => ({
      ...(await message(_id)),
      attachments: await attachmentsOf(_id),
    }),
    shown: ({ draft: _, ...form }) => ({ ...written(form), inReplyTo: MESSAGE_ID }),
  },
  'POST /mailboxes/{id}/drafts': {
    params: inBox,
    given: () => writing(),
    found: aDraft,
    shown: ({ forwardOf: _, ...form }) => written(form),
  },
  'POST /mailboxes/{id}/sends': {
    params: inBox,
    given: () => writing(),
    found: (answer) => message(answer.messageId),
    shown: ({ key: _, draft: __, forwardOf: ___, ...form }) => ({
      ...written(form),
      inReplyTo: MESSAGE_ID,
    }),
  },
  'POST /mailboxes/{id}/uploads': {
    params: inBox,
    found: async ({ _id }) => {
      const form = fullForm(routeOf('POST /mailboxes/{id}/drafts'), await writing())
      const draft = { ...form, uploads: [_id], draft: newId() }
      const saved = await write('POST /mailboxes/{id}/drafts', inBox(), draft)
      return (await attachmentsOf(saved._id))[0]
    },
  },
  'POST /mailboxes/{id}/imports': {
    params: inBox,
    found: async () => (await read(`/mailboxes/${box.id}/imports`))[0],
    // Where its messages go, once there are some.
    shown: ({ folder: _, ...rest }) => rest,
  },
}

const attachmentsOf = async (_id: string): Promise<Form[]> => {
  const { attachments } = await message(_id)
  return Promise.all(
    attachments.map(async ({ n, filename, contentType }: { n: number } & Form) => ({
      filename,
      contentType,
      content: Buffer.from(
        await read(`/mailboxes/${box.id}/messages/${_id}/attachments/${n}`),
      ).toString('base64'),
    })),
  )
}
const ours = () =>
  app.db.selectFrom('domains').selectAll().where('id', '=', domain.id).executeTakeFirstOrThrow()
const inDays = (days: number) =>
  new Date(app.clock.now().getTime() + days * 86_400_000).toISOString()
const aView = { name: 'Unpaid', list: 'mailboxes', query: 'status=inactive' }
const aDnsLink = () => write('POST /domains/{id}/dns-links', { id: domain.id }, { days: 1 })
const aFolder = async (): Promise<string> =>
  (await write('POST /mailboxes/{id}/folders', inBox(), { name: 'Own' }))._id
const aColleague = async (): Promise<string> => {
  const user = await aUser(app)
  const member = { workspaceId, userId: user.id, role: 'User', createdAt: app.clock.now() } as const
  await app.db.insertInto('members').values(member).execute()
  return user.id
}

const BY_LINK = 'read by whoever has a mailed link, and stores no field'
const SECRET = 'nobody reads a password'
const IN_MEMORY = 'the DNS of the demo'

/** Routes with a body that save no object of their own, and why. */
const unstored: Record<string, string> = {
  'POST /auth/open-ending-link': BY_LINK,
  'POST /auth/end-session-by-link': BY_LINK,
  'POST /account/leaving': 'see leaving.test.ts',
  'POST /account/export': 'it stores nothing',
  'POST /operator/first/open': BY_LINK,
  'POST /mailboxes/{id}/deleted-messages/recover': 'see recover-messages.test.ts',
  'POST /operator/first': 'see operators.test.ts',
  'POST /operator/workspaces/{id}/suspend': 'see operators.test.ts',
  'PUT /operator/workspaces/{id}/quota': 'see operators.test.ts',
  'POST /operator/workspaces/{id}/admins': 'see operators.test.ts',
  'POST /operator/announcements': 'see announcements.test.ts',
  'PUT /operator/second-factor': 'see required-factor.test.ts',
  'POST /operator/senders/stop': 'see complaints.test.ts',
  'POST /operator/senders/resume': 'see complaints.test.ts',
  'POST /operator/lists': 'see operators.test.ts',
  'POST /operator/invoices/{id}/settle': 'see operators.test.ts',
  'POST /operator/invoices/{id}/refund': 'see export-money.test.ts',
  'PATCH /operator/settings': 'see operators.test.ts',
  'POST /operator/backups/ask': 'see ask-for-backup.test.ts',
  'POST /operator/queue': 'see operators.test.ts',
  'POST /auth/register': 'below, with the link that it mails',
  'POST /invitations/sign-up': 'below, with the link of the invitation',
  'POST /auth/login': 'starts a session',
  'POST /auth/second-factor': 'starts a session, see second-factor.test.ts',
  'POST /auth/passkey': 'starts a session, see second-factor.test.ts',
  'POST /auth/step-up': 'confirms a session, see second-factor.test.ts',
  'POST /second-factor/totp': 'see second-factor.test.ts',
  'POST /passkeys': 'see second-factor.test.ts',
  'PATCH /passkeys/{id}': 'see second-factor.test.ts',
  'POST /auth/resend-verify-email': 'mails a link again',
  'POST /auth/forgot-password': 'mails a link',
  'POST /auth/set-new-password': SECRET,
  'POST /auth/open-reset-link': BY_LINK,
  'POST /auth/verify-email': BY_LINK,
  'POST /profile/password': SECRET,
  'POST /invitations/open': BY_LINK,
  'POST /invitations/join': BY_LINK,
  'POST /invitations/decline': BY_LINK,
  'POST /access/open': BY_LINK,
  'POST /access/accept': SECRET,
  'POST /dns-links/open': BY_LINK,
  'POST /dns-links/domains': BY_LINK,
  'POST /dns-links/check': BY_LINK,
  'POST /dns-links/zone-file': BY_LINK,
  'POST /mailboxes/access-links':
    'makes the links of POST /mailboxes/{id}/access/link, many at once',
  'POST /mailboxes/batch/status': 'changes as PATCH /mailboxes/{id} does, many at once',
  'POST /mailboxes/batch/delete': 'deletes',
  'POST /workspaces/{id}/deletion': 'deletes',
  'POST /operator/workspaces/{id}/deletion': 'deletes',
  'POST /workspace-exports': SECRET,
  'POST /deleted/{id}/end': 'deletes',
  'POST /domains/batch/verify': 'stores what DNS answers',
  'POST /domains/batch/delete': 'deletes',
  'POST /domains/batch/move': 'takes rows to another workspace as they are',
  'POST /domains/batch/records': 'answers a file',
  'POST /domains/{id}/move': 'takes rows to another workspace as they are',
  'POST /mailboxes/{id}/changes': 'changes many messages',
  'POST /mailboxes/{id}/messages/{messageId}/invitation':
    'sends an answer, which a test of its own reads',
  'POST /mailboxes/{id}/exports': 'answers a link for a minute',
  'POST /mailboxes/{id}/picture-senders':
    'stores the sender of a message, which the form does not say',
  'POST /mailboxes/{id}/sends/undo': 'takes a message back',
  'POST /mailboxes/{id}/uploads/copies': 'copies files of a message, which the form does not hold',
  'POST /sandbox-dns/{id}/records': IN_MEMORY,
  'PUT /sandbox-dns/{id}/records/{recordId}': IN_MEMORY,
  'POST /sandbox-dns/{id}/mistakes': IN_MEMORY,
}

const routeOf = (name: string) => {
  const route = routes.get(name)
  if (!route) throw new Error(`the contract declares no ${name}`)
  return route
}

test('every route with a body is tried here, or says why not', () => {
  const withBody = [...routes.values()].filter(({ body }) => body !== undefined).map(nameOf)
  expect([...Object.keys(stored), ...Object.keys(unstored)].sort()).toEqual(withBody.sort())
})

/** What was answered is what was stored, as far as both show it. */
const expectAnswered = (answer: Form, object: unknown) => {
  if (typeof object !== 'object' || object === null) return
  if (!('_id' in object) || object._id !== answer._id) return
  expectKept(Object.fromEntries(Object.entries(answer).filter(([name]) => name in object)), object)
}

const tryRoute = async (name: string, of: Stored) => {
  const { params = () => ({}), given = () => ({}), found, shown = (form) => form } = of
  const form = fullForm(routeOf(name), await given())
  const place = await params()
  const answer = await write(name, place, form)
  const object = await found(answer, place)
  expectKept(shown(form), object)
  expectAnswered(answer, object)
}

test.each(Object.entries(stored))('%s keeps every field', tryRoute)

test('a draft that passes a message on keeps which', () =>
  tryRoute('POST /mailboxes/{id}/drafts', {
    params: inBox,
    given: () => writing({ inReplyTo: undefined, forwardOf: messageId, draft: newId() }),
    found: aDraft,
    shown: ({ inReplyTo: _, ...form }) => written(form),
  }))

/** An account belongs to the person who opens a mailed link: how each of these gets a session. */
const accounts = {
  'POST /auth/register': async (client: ApiClient, form: Form) => {
    const signUp = await client.call('POST', '/auth/register', form)
    expect(signUp.status, JSON.stringify(signUp.body)).toBe(201)
    const session = await mailedToken(app, String(form.email), 'verify-email')
    return client.call('POST', '/auth/verify-email', { session })
  },
  'POST /invitations/sign-up': async (client: ApiClient, form: Form) => {
    const email = 'invited@example.org'
    await write('POST /invitations', {}, { email, role: 'User' })
    const session = await mailedToken(app, email, 'invitation')
    return client.call('POST', '/invitations/sign-up', { ...form, session })
  },
}

test.each(Object.entries(accounts))('%s keeps every field', async (name, signUp) => {
  const form = fullForm(
    routeOf(name),
    name === 'POST /auth/register' ? { email: 'new@example.org' } : {},
  )
  const { password: _, confirmPassword: __, termsAccepted: ___, session: ____, ...kept } = form
  const answer = await signUp(anApiClient(server), form)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  const bearer = { authorization: `Bearer ${answer.body.token}` }
  expectKept(kept, await read('/profile', anApiClient(server, bearer)))
})

test('a field that is declared anew is filled, and its loss is seen', async () => {
  const body = mailboxForm.extend({ note: z.string().max(200).optional() })
  const form = fullForm({ ...createMailbox, body }, { email: 'planted@ours.example' })
  expect(form.note).toBe('Some note')
  const { note, ...known } = form
  const { _id } = await write('POST /mailboxes', {}, known)
  const object = await read(`/mailboxes/${_id}`)
  expectKept(known, object)
  expect(() => expectKept({ ...known, note }, object)).toThrow('note')
})
