import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { deliverLocally } from '#server/features/intake/deliver-locally.ts'
import { addAlias, removeAlias, setCatchAll } from '#server/features/mailboxes/aliases.ts'
import { getRawMessage } from '#server/features/messages/get-message.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { listAddresses, type MessageForm, sendMessage } from './send-message.ts'

let app: TestApp
let who: Who
let domain: Domain
let other: Domain
let ada: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  other = await anActiveDomain(app, who)
  for (const each of [domain, other]) await storeKey(app.db, each, await makeKey(app))
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  await letRead(app, ada, who.userId)
})

const alias = (email: string, mailbox = ada) => addAlias(app, who, mailbox.id, { email })

const send = async (from: string | undefined, more: Partial<MessageForm> = {}) => {
  const { _id } = await sendMessage(app, who, ada.id, {
    ...{ to: ['eve@elsewhere.example'], cc: [], bcc: [], subject: 'Hi', text: 'Hello' },
    ...{ attachments: [], draft: false },
    ...(from === undefined ? {} : { from }),
    ...more,
  })
  const kept = await getRawMessage(app, who, ada.id, _id)
  const raw = Buffer.concat(await Array.fromAsync(kept.pieces())).toString()
  const sent = await app.db
    .selectFrom('outboxMessages')
    .select('mailFrom')
    .where('sentMessageId', '=', _id)
    .executeTakeFirst()
  const header = (pattern: RegExp) => pattern.exec(raw)?.[1]
  return {
    from: header(/^From: (.*)\r$/m),
    messageId: header(/^Message-ID: <[^@]*@(.*)>\r$/im),
    signedFor: [...raw.matchAll(/^DKIM-Signature:(?:.|\r\n[ \t])*?\bd=([^;]*);/gm)].map(
      ([, name]) => name,
    ),
    envelope: sent?.mailFrom,
  }
}

test('a mailbox sends as itself, its aliases and these with a tag, signed for the domain of each', async () => {
  await alias(`countess@${other.name}`)
  const asMailbox = await send(undefined)
  expect(asMailbox).toEqual({
    from: `Ada Lovelace <${ada.email}>`,
    messageId: domain.name,
    signedFor: [domain.name],
    envelope: ada.email,
  })
  for (const from of [ada.email, ` ${ada.email.toUpperCase()} `])
    expect(await send(from)).toEqual(asMailbox)
  expect((await send(`ada+shop@${domain.name}`)).from).toBe(
    `Ada Lovelace <ada+shop@${domain.name}>`,
  )
  for (const local of ['countess', 'countess+fans'])
    expect(await send(`${local}@${other.name}`)).toEqual({
      from: `Ada Lovelace <${local}@${other.name}>`,
      messageId: other.name,
      signedFor: [other.name],
      envelope: `${local}@${other.name}`,
    })
})

test('nothing else, however it is written; also not in a draft', async () => {
  const grace = await aMailbox(app, { domain, localPart: 'grace' })
  await aMailbox(app, { domain, localPart: 'ada+own' })
  await alias(`hopper@${domain.name}`, grace)
  await alias(`ada+bugs@${domain.name}`, grace)
  const { _id } = await alias(`former@${domain.name}`)
  await removeAlias(app, who, ada.id, _id)
  await setCatchAll(app, who, domain.id, ada.id)
  const theirs = await aMailbox(app)
  const before = await stateOf(app.db)
  for (const draft of [false, true])
    for (const from of [
      grace.email,
      `grace+x@${domain.name}`,
      `hopper@${domain.name}`,
      `ada+own@${domain.name}`,
      `ada+bugs@${domain.name}`,
      `former@${domain.name}`,
      `nobody@${domain.name}`,
      `postmaster@${domain.name}`,
      `ada@${other.name}`,
      'ceo@elsewhere.example',
      theirs.email,
      '',
      `Ada <${ada.email}>`,
      `"ceo@elsewhere.example" <${ada.email}>`,
      `${ada.email} <ceo@elsewhere.example>`,
      `${ada.email}, ceo@elsewhere.example`,
      `ceo@elsewhere.example, ${ada.email}`,
      `<${ada.email}>`,
      `ceo@elsewhere.example\r\nX: ${ada.email}`,
      `=?utf-8?q?ceo=40elsewhere.example?= <${ada.email}>`,
    ])
      await expect(send(from, { draft }), from).rejects.toMatchObject({
        type: 'VALIDATION',
        data: { from: expect.any(String) },
      })
  expect(await stateOf(app.db)).toBe(before)
})

test('the domain of the address must be able to send', async () => {
  await alias(`countess@${other.name}`)
  const stop = (sendingStoppedAt: Date | null, activatedAt: Date | null) =>
    app.db
      .updateTable('domains')
      .set({ sendingStoppedAt, activatedAt })
      .where('id', '=', other.id)
      .execute()
  await stop(app.clock.now(), app.clock.now())
  await expect(send(`countess@${other.name}`)).rejects.toMatchObject({ type: 'SENDING_STOPPED' })
  expect((await send(undefined)).envelope).toBe(ada.email)
  await stop(null, null)
  await expect(send(`countess@${other.name}`)).rejects.toMatchObject({ type: 'DOMAIN_NOT_ACTIVE' })
})

test('what is on its way as an alias is not tried again when the domain of the alias is given up', async () => {
  const { _id } = await alias(`countess@${other.name}`)
  const statusOf = async (recipient: string) =>
    app.db.selectFrom('deliveries').select('status').where('recipient', '=', recipient).execute()
  await send(`countess@${other.name}`, { to: ['late@elsewhere.example'] })
  await send(undefined, { to: ['own@elsewhere.example'] })
  await removeAlias(app, who, ada.id, _id)
  await deleteDomain(app, who, other.id)
  expect(await statusOf('late@elsewhere.example')).toEqual([{ status: 'failed' }])
  expect(await statusOf('own@elsewhere.example')).toEqual([{ status: 'queued' }])
})

test('a draft keeps the address that it is from', async () => {
  await alias(`countess@${other.name}`)
  expect(await send(`countess@${other.name}`, { draft: true })).toMatchObject({
    from: `Ada Lovelace <countess@${other.name}>`,
    signedFor: [],
    envelope: undefined,
  })
})

test('who reads a mailbox learns its addresses, and nobody else', async () => {
  await alias(`countess@${other.name}`)
  app.clock.advance({ seconds: 1 })
  await alias(`a@${domain.name}`)
  const expected = [ada.email, `countess@${other.name}`, `a@${domain.name}`]
  expect(await listAddresses(app, who, ada.id)).toEqual(expected)
  const reader: Who = { ...who, role: 'User' }
  expect(await listAddresses(app, reader, ada.id)).toEqual(expected)
  const admin: Who = { ...who, userId: (await aUser(app)).id }
  await expect(listAddresses(app, admin, ada.id)).rejects.toMatchObject({ type: 'FORBIDDEN' })
  await expect(listAddresses(app, await aMember(app), ada.id)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
})

test('mail between our own mailboxes finds aliases and catch-alls as mail from elsewhere does', async () => {
  await alias(`countess@${other.name}`)
  const rest = await aMailbox(app, { domain, localPart: 'rest' })
  await setCatchAll(app, who, other.id, rest.id)
  const message = { mailFrom: ada.email, workspaceId: who.workspaceId } as OutboxMessage
  const raw = Buffer.from('Subject: Hi\r\n\r\nHello\r\n')
  for (const [local, mailbox] of [
    ['countess+x', ada],
    ['nobody', rest],
  ] as const) {
    const delivery = await deliverLocally(app, message, `${local}@${other.name}`, raw)
    expect(delivery?.attempt.outcome).toBe('delivered')
    await app.db.transaction().execute(async (tx) => delivery?.keep?.(tx))
    const inbox = await app.db
      .selectFrom('folders')
      .select('messageCount')
      .where('mailboxId', '=', mailbox.id)
      .where('role', '=', 'inbox')
      .executeTakeFirst()
    expect(inbox).toEqual({ messageCount: 1 })
  }
  const refused = await deliverLocally(app, message, `nobody@${domain.name}`, raw)
  expect(refused).toMatchObject({ attempt: { outcome: 'failed', code: 550 }, keep: null })
})
