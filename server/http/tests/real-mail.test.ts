/** Mail as it really comes: taken by SMTP, opened, saved as it was sent, answered and passed on. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { openInbound } from '#server/mail/inbound/listener.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { mailsWithFiles } from '#test-world/real-mail/files.ts'
import { letters } from '#test-world/real-mail/letters.ts'
import type { MailKind } from '#test-world/real-mail/mail-kind.ts'
import { aSession } from '#test-world/session.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let inbound: Awaited<ReturnType<typeof openInbound>>
let mailbox: Mailbox
let reader: ApiClient
let path = ''
let headers: Record<string, string> = {}

beforeAll(async () => {
  app = await anApp({ config: { sendLimit: 0, newRecipientLimit: 0, undoSeconds: 0 } })
  server = await openHttpServer(app)
  inbound = await openInbound(app)
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role: 'User' }] })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, user.id)
  headers = (await aSession(app, user)).headers
  reader = anApiClient(server, headers)
  path = `/mailboxes/${mailbox.id}`
})
afterAll(async () => {
  await inbound.close()
  await server.close()
  await app.close()
})

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const call = async (method: string, where: string, body?: unknown) => {
  const answer = await reader.call(method, path + where, body)
  expect(answer.body, JSON.stringify(answer.body)).toSatisfy(() => answer.status < 300)
  return answer.body
}

const newest = async (): Promise<Message> => {
  const { items } = await call('GET', '/messages?limit=1')
  return call('GET', `/messages/${items[0]._id}`)
}

const filesOf = ({ _id, attachments }: Message) =>
  Promise.all(
    attachments.map(async ({ n, filename, size }) => {
      const { rawPayload } = await server.inject({
        url: `/api/v1${path}/messages/${_id}/attachments/${n}`,
        headers,
      })
      expect(rawPayload.length, filename).toBe(size)
      return [filename, sha256(rawPayload)]
    }),
  )

/** As a form does that knows nothing of what is wrong with a mail. */
const answer = async ({ _id, subject, from }: Message) => {
  const to = from?.name
    ? `"${from.name.replace(/["\\]/g, '\\$&')}" <${from.address}>`
    : from?.address
  const sent = await call('POST', '/messages', {
    ...{ to: [to], subject: `Re: ${subject}`, text: 'Yes', inReplyTo: _id },
  })
  return call('GET', `/messages/${sent._id}`)
}

const passOn = async ({ _id, subject, attachments }: Message): Promise<Message> => {
  const parts = attachments.map(({ n }) => n)
  const copies =
    parts.length > 0 ? await call('POST', '/uploads/copies', { messageId: _id, parts }) : []
  const { messageId } = await call('POST', '/sends', {
    ...{
      to: ['bo@example.org'],
      cc: [],
      bcc: [],
      subject: `Fwd: ${subject}`,
      html: '<p>See.</p>',
      forwardOf: _id,
    },
    uploads: copies.map((copy: { _id: string }) => copy._id),
    ...{
      draft: crypto.randomUUID(),
      writer: crypto.randomUUID(),
      save: 1,
      key: crypto.randomUUID(),
    },
  })
  return call('GET', `/messages/${messageId}`)
}

const kinds: readonly MailKind[] = [...mailsWithFiles, ...letters]

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  '%s is read, saved, answered and passed on',
  async (_name, kind) => {
    expect(await sendMail(inbound.port, { to: mailbox.email, raw: kind.raw })).toMatch(/^250 /)
    const message = await newest()
    expect(message.subject).toBe(kind.subject)
    if (kind.from !== undefined) expect(message.from?.name).toBe(kind.from)
    for (const words of kind.says) expect(message.text + message.html).toContain(words)
    for (const words of kind.saysNot ?? []) expect(message.text + message.html).not.toContain(words)
    expect(message.isSource).toBe(kind.isSource ?? false)
    const asSent = kind.files.map(([name, content]) => [name, sha256(content)])
    expect(await filesOf(message)).toEqual(asSent)

    const answered = await answer(message)
    expect(answered.to.map(({ address }: { address: string }) => address)).toEqual([
      kind.answersTo ?? 'sender@example.net',
    ])
    expect(answered.subject).toBe(`Re: ${kind.subject}`.slice(0, 900).trim())
    expect(await filesOf(await passOn(message))).toEqual(asSent)
  },
)

test('what was stored before subjects and names were tidied can be answered as well', async () => {
  await sendMail(inbound.port, { to: mailbox.email, raw: letters[0]?.raw ?? '' })
  const { _id } = await newest()
  await app.db
    .updateTable('messages')
    .set({
      subject: `A\tB\u2028C ${'y'.repeat(950)}`,
      from: JSON.stringify({ name: 'Ann\r\n\tB =?x', address: 'sender@example.net' }),
    })
    .where('id', '=', _id)
    .execute()
  const message = await newest()
  expect(message).toMatchObject({ from: { name: 'Ann B = ?x' } })
  expect(message.subject).toMatch(/^A B C y+$/)
  expect((await answer(message)).subject).toMatch(/^Re: A B C y+$/)
})
