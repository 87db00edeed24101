import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppError } from '#contract/errors.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { systemKeyOf } from '#server/features/outbox/send-system-mail.ts'
import { newId } from '#server/lib/ids.ts'
import { openDatabase } from '#server/storage/database.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { deleteMailbox } from '#test-world/deletions.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { countReply } from './count-reply.ts'
import { getSending, purgeBrakes } from './get-sending.ts'
import { type MessageForm, sendMessage } from './send-message.ts'

let app: TestApp
let who: Who
let domain: Domain
let ada: Mailbox
beforeAll(async () => {
  app = await anApp({ config: { sendLimit: 20, newRecipientLimit: 10 } })
  // Made once, when the first mail of the installation goes out.
  await systemKeyOf(app, app.db)
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  await storeKey(app.db, domain, await makeKey(app))
  ada = await aReadMailbox('ada')
})

const aReadMailbox = async (localPart: string): Promise<Mailbox> => {
  const mailbox = await aMailbox(app, { domain, localPart })
  await letRead(app, mailbox, who.userId)
  return mailbox
}

/** Its limits are whole. */
const growUp = () => app.clock.advance({ days: 4 })

const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `p${from + n}@elsewhere.example`)

const send = (to: string[], more: Partial<MessageForm> = {}, mailbox = ada, by: TestApp = app) =>
  sendMessage(by, who, mailbox.id, {
    ...{ to, cc: [], bcc: [], subject: 'Hi', text: 'Hello', attachments: [], draft: false },
    ...more,
  })

/** null: it did not come by SMTP. */
const mailFromCarol = async (dmarc: string | null): Promise<string> => {
  const raw =
    'From: Carol <Carol@else.example>\r\nCc: dan@else.example\r\nSubject: Hi\r\n\r\nHello\r\n'
  const message = { raw: Buffer.from(raw), mailFrom: 'carol@else.example' }
  const authentication = dmarc === null ? null : { spf: 'none', dkim: 'none', arc: 'none', dmarc }
  await receiveMessage(app, app.db, { ...message, authentication }, [
    { mailboxId: ada.id, workspaceId: ada.workspaceId },
  ])
  const { id } = await app.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', ada.id)
    .where('mailFrom', '=', 'carol@else.example')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

const refusal = async (sent: Promise<unknown>) => {
  const error = await sent.then(
    () => null,
    (thrown: AppError) => thrown,
  )
  if (error === null) return null
  expect(error.type).toBe('SENDING_LIMIT')
  return { message: error.message, ...(error.data as Record<string, unknown>) }
}

const use = async (mailbox = ada) => {
  const { usedToday, newToday } = await getSending(app, who, mailbox.id)
  return [usedToday, newToday]
}

test('a message that does not fit is refused whole, with what would fit and when; nothing is left of it', async () => {
  growUp()
  await send(people(4))
  const sentAt = app.clock.now().getTime()
  app.clock.advance({ hours: 2 })
  await send(people(5, 4))
  expect(await use()).toEqual([9, 9])
  await send(people(9))
  expect(await use()).toEqual([18, 9])

  const before = await stateOf(app.db)
  const tooMany = await refusal(send(people(9), { draft: false }))
  const roomAt = new Date(sentAt + 24 * 3600_000).toISOString()
  expect(tooMany).toEqual({
    ...{ kind: 'recipients', of: 'mailbox', limit: 20, used: 18, asked: 9, fits: 2 },
    // Only four have left then, and seven places are needed: the second message has to leave too.
    roomAt: new Date(sentAt + 26 * 3600_000).toISOString(),
    message: expect.stringMatching(
      /^In 24 hours this mailbox may write to 20 recipients outside this workspace; 18 are used\. This message has 9 of them: 2 would fit now\. There will be room for the whole message at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
    ),
  })
  expect(await refusal(send(['new1@x.example', 'new2@x.example']))).toMatchObject({
    ...{ kind: 'new-recipients', of: 'mailbox', limit: 10, used: 9, asked: 2, fits: 1, roomAt },
    message: expect.stringContaining('This message has 2 of them: 1 would fit now.'),
  })
  expect(await refusal(send(people(21)))).toMatchObject({
    roomAt: null,
    message: expect.stringContaining('please send it in parts'),
  })
  // But for the mail to the Admins nothing was written.
  await app.db.deleteFrom('outboxMessages').where('workspaceId', 'is', null).execute()
  await app.db.deleteFrom('freedBlobs').execute()
  expect(await stateOf(app.db)).toBe(before)

  // What fits, goes; drafts always do.
  await send(people(30), { draft: true })
  await send(people(1, 8).concat('new1@x.example'))
  expect(await use()).toEqual([20, 10])
  app.clock.set(new Date(roomAt))
  await send(people(4))
  expect(await use()).toEqual([20, 6])
})

test('each recipient counts once, in whichever field and spelling; whoever is answered is nobody new', async () => {
  growUp()
  await send(['Eve <eve@Elsewhere.example>', 'EVE@elsewhere.example'], {
    cc: ['eve@elsewhere.example'],
    bcc: ['bob@bücher.example', 'bob@xn--bcher-kva.example'],
  })
  expect(await use()).toEqual([2, 2])
  const id = await mailFromCarol('none')
  await send(['carol@else.example', 'dan@else.example'], { inReplyTo: id })
  expect(await use()).toEqual([4, 3])
  await send(['carol@else.example'])
  expect(await use()).toEqual([5, 3])
})

test('a message that was imported, or bears a forged name, makes nobody known', async () => {
  growUp()
  for (const dmarc of [null, 'fail']) {
    const inReplyTo = await mailFromCarol(dmarc)
    await expect(
      send(people(10).concat('carol@else.example'), { inReplyTo }),
    ).rejects.toMatchObject({ data: { kind: 'new-recipients', asked: 11 } })
  }
})

test('mail within the workspace and to MAIL_HOST counts for nothing; another workspace is somebody else', async () => {
  growUp()
  const theirs = await aMailbox(app)
  const inside = [`grace@${domain.name}`, 'postmaster@mail.mailstead.test']
  for (let n = 0; n < 8; n++) await send(inside)
  expect(await use()).toEqual([0, 0])
  await send([...inside, theirs.email])
  expect(await use()).toEqual([1, 1])
})

test('twenty sends at once from two processes go as far as the limit, and no further', async () => {
  growUp()
  const db = openDatabase({ connection: app.database.connection, maxConnections: 10 }, () => {})
  try {
    const other = { ...app, db }
    const sends = Array.from({ length: 20 }, (_, n) =>
      refusal(send(people(3, 3 * n), {}, ada, n % 2 === 0 ? app : other)),
    )
    const went = (await Promise.all(sends)).filter((refused) => refused === null)
    expect(went).toHaveLength(3)
    expect(await use()).toEqual([9, 9])
    const { count } = await app.db
      .selectFrom('deliveries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspaceId', '=', who.workspaceId)
      .executeTakeFirstOrThrow()
    expect(count).toBe(9)
  } finally {
    await db.destroy()
  }
})

test('a new workspace begins with a fifth, for its mailboxes together too, and is whole after three days', async () => {
  const young = { dailyLimit: 4, newRecipientLimit: 2, isRamping: true }
  const fullAt = new Date(app.clock.now().getTime() + 3 * 24 * 3600_000).toISOString()
  expect(await getSending(app, who, ada.id)).toMatchObject({ ...young, fullAt })
  await send(people(2))
  expect(await refusal(send(people(1, 2)))).toMatchObject({
    ...{ kind: 'new-recipients', of: 'mailbox', limit: 2, fits: 0 },
    // The limit grows, at the same moment at which these two leave.
    roomAt: new Date(app.clock.now().getTime() + 24 * 3600_000).toISOString(),
  })
  // Ten mailboxes use up what all may send together: an eleventh has no room, nor one made in the place of another.
  for (let n = 0; n < 9; n++) await send(people(2), {}, await aReadMailbox(`m${n}`))
  await deleteMailbox(app, who, ada.id)
  const eve = await aReadMailbox('eve')
  expect(await refusal(send(people(1), {}, eve))).toMatchObject({
    ...{ kind: 'new-recipients', of: 'workspace', limit: 20, used: 20, fits: 0 },
    message: expect.stringContaining('the mailboxes of this new workspace together'),
  })
  expect((await getSending(app, who, eve.id)).together).toEqual({
    ...{ dailyLimit: 40, usedToday: 20, newRecipientLimit: 20, newToday: 20 },
  })
  app.clock.advance({ days: 3 })
  expect(await getSending(app, who, eve.id)).toMatchObject({
    ...{ dailyLimit: 20, usedToday: 0, newRecipientLimit: 10, newToday: 0 },
    ...{ isRamping: false, fullAt: null, together: null, stopped: null },
  })
  await send(people(10), {}, eve)
})

test('without limits everything goes, and is still counted', async () => {
  const free = { ...app, config: { ...app.config, sendLimit: 0, newRecipientLimit: 0 } }
  await send(people(60), {}, ada, free)
  expect(await getSending(free, who, ada.id)).toMatchObject({
    ...{ dailyLimit: null, usedToday: 60, newRecipientLimit: null, newToday: 60 },
    ...{ isRamping: false, fullAt: null, together: null },
  })
})

test('the Admins are told of a mailbox that reaches its limit, once a day', async () => {
  growUp()
  const { email } = await app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', who.userId)
    .executeTakeFirstOrThrow()
  const mails = async () => (await listHeldMails(app)).filter(({ to }) => to === email)
  for (let n = 0; n < 3; n++) await refusal(send(people(11)))
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail?.subject).toBe(`${ada.email} has reached its sending limit`)
  expect(mail?.text).toContain(
    'may write to 10 new recipients, to whom it has never written before',
  )
  expect(mail?.link).toBe(
    `http://localhost:8080/dashboard/mail-box-settings?mailbox=${ada.id}#sending`,
  )
  app.clock.advance({ days: 1, seconds: 1 })
  await refusal(send(people(11)))
  expect(await mails()).toHaveLength(2)
})

test('who may see how much is sent: readers, Admins and Editors, of this workspace alone', async () => {
  const reader: Who = { ...who, role: 'User' }
  await expect(getSending(app, reader, ada.id)).resolves.toBeDefined()
  const theirs = await aMember(app)
  const stranger: Who = { ...theirs, workspaceId: who.workspaceId }
  for (const role of ['Admin', 'Editor'] as const)
    await expect(getSending(app, { ...stranger, role }, ada.id)).resolves.toBeDefined()
  await expect(getSending(app, { ...stranger, role: 'User' }, ada.id)).rejects.toMatchObject({
    type: 'FORBIDDEN',
  })
  for (const [by, id] of [
    [theirs, ada.id],
    [who, newId()],
    [who, 'x'],
  ] as const)
    await expect(getSending(app, by, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('what nobody counts any more is forgotten after a week; whom a mailbox has written to never is', async () => {
  growUp()
  await send(people(3))
  app.clock.advance({ hours: 23 })
  await send(people(1, 3))
  app.clock.advance({ hours: 2 })
  expect(await use()).toEqual([1, 1])
  app.clock.advance({ days: 6 })
  await purgeBrakes(app)
  const left = await app.db
    .selectFrom('sendings')
    .select('recipients')
    .where('mailboxId', '=', ada.id)
    .execute()
  expect(left).toEqual([{ recipients: 1 }])
  app.clock.advance({ days: 2 })
  await send(people(5))
  expect(await use()).toEqual([5, 1])
})

test('automatic replies of an established domain are limited as its other mail is, in a new workspace too', async () => {
  const replies = async () => {
    let count = 0
    while (
      await app.db
        .transaction()
        .execute((tx) => countReply(app, tx, ada, `p${count}@elsewhere.example`))
        .then(() => true)
        .catch((error: AppError) => error.type !== 'SENDING_LIMIT')
    )
      count += 1
    return count
  }
  expect(await replies()).toBe(2)
  const createdAt = new Date(app.clock.now().getTime() - 10 * 24 * 3600_000)
  await app.db.updateTable('domains').set({ createdAt }).where('id', '=', domain.id).execute()
  // Half of the whole limit of 20, less those two.
  expect(await replies()).toBe(8)
})
