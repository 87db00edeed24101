import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { deliverLocally } from '#server/features/intake/deliver-locally.ts'
import { addAlias } from '#server/features/mailboxes/aliases.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import { newId } from '#server/lib/ids.ts'
import { readDigest } from '#server/standards/reading/read-message.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { deleteMailbox } from '#test-world/deletions.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { answerDues } from './answer-dues.ts'
import { getVacation, purgeVacations, setVacation, type VacationForm } from './edit-vacation.ts'
import { vacationDue } from './vacation-queries.ts'

let app: TestApp
let who: Who
let domain: Domain
let ada: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  await storeKey(app.db, domain, await makeKey(app))
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  await letRead(app, ada, who.userId)
})

const away: VacationForm = {
  isOn: true,
  firstDay: '',
  lastDay: '',
  timeZone: 'Europe/Berlin',
  subject: '',
  text: 'I am away until Monday.',
}
const turnOn = (changes: Partial<VacationForm> = {}) =>
  setVacation(app, who, ada.id, { ...away, ...changes })

type Mail = { from?: string; mailFrom?: string; to?: string; fields?: string[]; messageId?: string }

const rawOf = ({ from = 'grace@navy.example', to = ada.email, ...mail }: Mail) =>
  Buffer.from(
    [
      `From: Grace Hopper <${from}>`,
      `To: ${to}`,
      'Subject: The mill',
      `Message-ID: <${mail.messageId ?? `${newId()}@navy.example`}>`,
      ...(mail.fields ?? []),
      '',
      'Does it weave?',
      '',
    ].join('\r\n'),
  )

const receive = (mail: Mail = {}, mailbox = ada, isJunk = false) =>
  receiveMessage(
    app,
    app.db,
    {
      raw: rawOf(mail),
      mailFrom: mail.mailFrom ?? mail.from ?? 'grace@navy.example',
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' },
      ifAnswerable: vacationDue,
    },
    [
      {
        mailboxId: mailbox.id,
        workspaceId: mailbox.workspaceId,
        junk: { score: 0, isJunk, reasons: [] },
      },
    ],
  )

const answers = async (mailboxId = ada.id) => {
  const rows = await app.db
    .selectFrom('outboxMessages')
    .innerJoin('deliveries', 'deliveries.outboxMessageId', 'outboxMessages.id')
    .select(['recipient', 'mailFrom', 'blob', 'outboxMessages.mailboxId'])
    .where('outboxMessages.mailboxId', '=', mailboxId)
    .orderBy('outboxMessages.id')
    .execute()
  return rows
}
const recipients = async (mailboxId?: string) =>
  (await answers(mailboxId)).map(({ recipient }) => recipient)

const dues = async () => (await app.db.selectFrom('vacationDues').selectAll().execute()).length

test('a reply says what it answers, from nobody who could be answered, and is signed', async () => {
  await turnOn()
  await receive({ messageId: 'one@navy.example', fields: ['References: <zero@navy.example>'] })
  await answerDues(app)
  const [answer, ...more] = await answers()
  expect(more).toEqual([])
  expect(answer).toMatchObject({ recipient: 'grace@navy.example', mailFrom: '' })
  const raw = await app.blobs.get(answer?.blob ?? '')
  expect(await readDigest(raw, 'us')).toMatchObject({
    subject: 'Auto: The mill',
    from: { name: 'Ada Lovelace', address: ada.email },
    to: [{ name: 'Grace Hopper', address: 'grace@navy.example' }],
    inReplyTo: 'one@navy.example',
    references: ['zero@navy.example', 'one@navy.example'],
    preview: 'I am away until Monday.',
  })
  const header = raw.toString().split('\r\n\r\n')[0]
  expect(header).toMatch(/^Auto-Submitted: auto-replied\r?$/m)
  expect(header).toMatch(new RegExp(`^DKIM-Signature: [^]*d=${domain.name};`, 'm'))
  expect(header).toMatch(/h=[^;]*auto-submitted/)
  expect(await dues()).toBe(0)
  expect(await getVacation(app, who, ada.id)).toMatchObject({ state: 'on', answered: 1 })
})

test('each sender once in seven days, then again; another text begins anew, another end does not', async () => {
  await turnOn()
  const round = async () => {
    await receive()
    await answerDues(app)
    return (await answers()).length
  }
  expect(await round()).toBe(1)
  expect(await round()).toBe(1)
  app.clock.advance({ days: 6 })
  expect(await round()).toBe(1)
  await turnOn({ lastDay: '2099-01-01' })
  expect(await round()).toBe(1)
  app.clock.advance({ days: 1, seconds: 1 })
  expect(await round()).toBe(2)
  await turnOn({ text: 'I am away until Friday.' })
  expect(await round()).toBe(3)
  await setVacation(app, who, ada.id, { ...away, isOn: false })
  expect(await round()).toBe(3)
  await turnOn()
  expect(await round()).toBe(4)
  expect(await getVacation(app, who, ada.id)).toMatchObject({ answered: 1 })
  app.clock.advance({ days: 91 })
  await purgeVacations(app)
  expect(await app.db.selectFrom('vacationAnswers').selectAll().execute()).toEqual([])
})

test('a new return path for every mail does not make a new sender', async () => {
  await turnOn()
  for (const n of [1, 2, 3])
    await receive({ from: 'desk@shop.example', mailFrom: `ticket-${n}@shop.example` })
  await answerDues(app)
  expect(await recipients()).toEqual(['ticket-1@shop.example'])
})

test('the days are those of its time zone, and the moment of arrival counts', async () => {
  const zone = { timeZone: 'America/Los_Angeles' }
  const local = (seconds = 0) =>
    new Intl.DateTimeFormat('en-CA', { ...zone }).format(
      new Date(app.clock.now().getTime() + seconds * 1000),
    )
  const tomorrow = local(86_400)
  const saved = await turnOn({ ...zone, firstDay: tomorrow, lastDay: tomorrow })
  expect(saved.state).toBe('waiting')
  await receive({ from: 'early@navy.example' })
  while (local() !== tomorrow) app.clock.advance({ minutes: 15 })
  expect(await getVacation(app, who, ada.id)).toMatchObject({ state: 'on' })
  await receive({ from: 'first@navy.example' })
  while (local(900) === tomorrow) app.clock.advance({ minutes: 15 })
  await receive({ from: 'last@navy.example' })
  app.clock.advance({ minutes: 15 })
  expect(await getVacation(app, who, ada.id)).toMatchObject({ state: 'over' })
  await receive({ from: 'late@navy.example' })
  await answerDues(app)
  expect(await recipients()).toEqual(['first@navy.example', 'last@navy.example'])
  await expect(turnOn({ ...zone, lastDay: tomorrow })).rejects.toMatchObject({
    data: { lastDay: 'This day is over' },
  })
})

test('nothing is answered that a program wrote, that went to others, to Junk, or came from itself', async () => {
  await turnOn()
  await receive({ fields: ['Auto-Submitted: auto-replied'] })
  await receive({ fields: ['List-Id: <x.example>'] })
  await receive({ mailFrom: '' })
  await receive({ to: 'team@elsewhere.example' })
  await receive({ from: ada.email })
  await receive({}, ada, true)
  await answerDues(app)
  expect(await answers()).toEqual([])
  expect(await dues()).toBe(0)
})

test('mail to an alias is answered as the alias', async () => {
  const { email } = await addAlias(app, who, ada.id, { email: `countess@${domain.name}` })
  await setVacation(app, who, ada.id, { ...away, subject: 'Away' })
  await receive({ to: email })
  await answerDues(app)
  const [answer] = await answers()
  expect(await readDigest(await app.blobs.get(answer?.blob ?? ''), 'us')).toMatchObject({
    from: { address: email },
    subject: 'Away',
  })
})

test('mail between mailboxes here is answered too, and two that are away do not talk for ever', async () => {
  const grace = await aMailbox(app, { domain, localPart: 'grace' })
  await letRead(app, grace, who.userId)
  await turnOn()
  await setVacation(app, who, grace.id, away)
  const deliver = async (mailFrom: string, to: string, raw: Buffer) => {
    const message = { mailFrom, workspaceId: who.workspaceId } as OutboxMessage
    const delivery = await deliverLocally(app, message, to, raw)
    await app.db.transaction().execute(async (tx) => delivery?.keep?.(tx))
    await answerDues(app)
  }
  await deliver(grace.email, ada.email, rawOf({ from: grace.email }))
  const [answer] = await answers()
  expect(answer?.recipient).toBe(grace.email)
  await deliver('', grace.email, await app.blobs.get(answer?.blob ?? ''))
  expect(await answers(grace.id)).toEqual([])
  expect(await answers()).toHaveLength(1)
})

test('many workers and many mails of one sender make one answer', async () => {
  const second = await anApp({ database: app.database, clock: app.clock })
  await turnOn()
  await Promise.all(Array.from({ length: 12 }, () => receive()))
  await receive({ from: 'another@navy.example' })
  // The blobs are one store for all processes.
  const twin = { ...second, blobs: app.blobs }
  await Promise.all([app, twin, app, twin, app].map((each) => answerDues(each)))
  expect((await recipients()).toSorted()).toEqual(['another@navy.example', 'grace@navy.example'])
  expect(await dues()).toBe(0)
  await second.close()
})

test('whoever dies before the end leaves the answer for the next', async () => {
  await turnOn()
  await receive()
  const away = { ...app.blobs, put: () => Promise.reject(new Error('killed')) }
  await answerDues({ ...app, blobs: away })
  expect([await dues(), await answers()]).toEqual([1, []])
  await answerDues(app)
  expect([await dues(), await recipients()]).toEqual([0, ['grace@navy.example']])
  await receive({ from: 'other@navy.example' })
  app.clock.advance({ hours: 2 })
  await answerDues({ ...app, blobs: away })
  expect(await dues()).toBe(0)
})

test('what is received in a transaction that fails is not answered', async () => {
  await turnOn()
  await expect(
    app.db.transaction().execute(async (tx) => {
      await receiveMessage(
        app,
        tx,
        { raw: rawOf({}), mailFrom: 'grace@navy.example', authentication: null },
        [{ mailboxId: ada.id, workspaceId: ada.workspaceId }],
      )
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await dues()).toBe(0)
})

test('the brakes hold at half of the day, without a word to anybody', async () => {
  const braked = { ...app, config: { ...app.config, sendLimit: 4 } }
  app.clock.advance({ days: 4 })
  await turnOn()
  for (const n of [1, 2, 3, 4, 5]) await receive({ from: `p${n}@navy.example` })
  await answerDues(braked)
  expect(await recipients()).toHaveLength(2)
  expect(await dues()).toBe(0)
  const mails = await app.db
    .selectFrom('outboxMessages')
    .select('id')
    .where('mailboxId', 'is', null)
    .execute()
  expect(mails).toEqual([])
  const known = await app.db
    .selectFrom('correspondents')
    .select('address')
    .where('mailboxId', '=', ada.id)
    .execute()
  expect(known).toEqual([])
})

test('a mailbox that cannot send answers nobody, and one that is deleted leaves nothing', async () => {
  await turnOn()
  await receive()
  await app.db
    .updateTable('mailboxes')
    .set({ status: 'suspended' })
    .where('id', '=', ada.id)
    .execute()
  await answerDues(app)
  expect([await dues(), await answers()]).toEqual([0, []])
  await receive()
  await deleteMailbox(app, who, ada.id)
  expect(await dues()).toBe(0)
  expect(await app.db.selectFrom('vacationReplies').selectAll().execute()).not.toContainEqual(
    expect.objectContaining({ mailboxId: ada.id }),
  )
})

test('its reader and whoever looks after mailboxes may set it, and nobody else', async () => {
  const editor: Who = { ...who, userId: newId(), role: 'Editor' }
  const reader: Who = { ...who, role: 'User' }
  const user: Who = { ...editor, role: 'User' }
  expect(await setVacation(app, editor, ada.id, away)).toMatchObject({ state: 'on' })
  expect(await getVacation(app, reader, ada.id)).toMatchObject({ text: away.text })
  await expect(getVacation(app, user, ada.id)).rejects.toMatchObject({ type: 'FORBIDDEN' })
  await expect(setVacation(app, user, ada.id, away)).rejects.toMatchObject({ type: 'FORBIDDEN' })
  await expect(getVacation(app, await aMember(app), ada.id)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
})
