/** Which incoming mail goes to Junk, how a mailbox learns from its readers, and how a score is explained. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { changeMessage, deleteMessage } from '#server/features/messages/change-message.ts'
import { getMessage } from '#server/features/messages/get-message.ts'
import { listFolders as listFoldersOf } from '#server/features/messages/list-folders.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

let app: TestApp
let inbound: Awaited<ReturnType<typeof openInbound>>

beforeAll(async () => {
  app = await anApp()
  inbound = await openInbound(app)
})
afterAll(async () => {
  await inbound.close()
  await app.close()
})

type Box = Mailbox & { who: Who }

const aBox = async (): Promise<Box> => {
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, user.id)
  return { ...mailbox, who: { userId: user.id, workspaceId: workspace.id, role: 'Admin' } as Who }
}

type Letter = { from?: string; subject?: string; text?: string; head?: string }

const letterOf = ({
  from = 'eve@casino.example',
  subject = 'Hello',
  text = 'x',
  head = '',
}: Letter) =>
  Buffer.from(
    `From: ${from}\r\nSubject: ${subject}\r\nDate: ${app.clock.now().toUTCString()}\r\nMessage-ID: <${crypto.randomUUID()}@x.example>\r\n${head}\r\n${text}\r\n`,
  )

/** Returns the folder of the stored message. */
const receive = async (box: Mailbox, letter: Letter) => {
  expect(await sendMail(inbound.port, { to: box.email, raw: letterOf(letter) })).toMatch(/^250 /)
  return app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['messages.id', 'role', 'junk'])
    .where('messages.mailboxId', '=', box.id)
    .orderBy('messages.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

const move = (box: Box, id: string, folder: string) =>
  changeMessage(app, box.who, box.id, id, { folder })

const junkLetter = (n: number): Letter => ({
  from: `win${n}@lucky${n}.example`,
  subject: `Jackpot number ${n}`,
  text: `Claim your jackpot bonus, spins and prize money number ${n}`,
})
const goodLetter = (n: number): Letter => ({
  from: 'grace@navy.example',
  subject: `Minutes of meeting ${n}`,
  text: `The committee agreed on the budget of the bridge, item ${n}`,
})

const teach = async (box: Box, count = 6) => {
  for (let n = 0; n < count; n++) {
    await move(box, (await receive(box, junkLetter(n))).id, 'junk')
    await move(box, (await receive(box, goodLetter(n))).id, 'archive')
  }
}

const modelOf = (box: Mailbox) =>
  app.db.selectFrom('junkModels').selectAll().where('mailboxId', '=', box.id).executeTakeFirst()

describe('mail for postmaster@ and abuse@', () => {
  const passedOn = async (box: Box, letter: Letter): Promise<string> => {
    const to = `abuse@${box.email.split('@')[1]}`
    expect(await sendMail(inbound.port, { to, raw: letterOf(letter) })).toMatch(/^250 /)
    const { blob } = await app.db
      .selectFrom('outboxMessages')
      .select('blob')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return (await app.blobs.get(blob)).toString()
  }

  test('is passed on with what it looks like', async () => {
    const box = await aBox()
    const junk = await passedOn(box, {
      from: '"service@bank.example" <eve@casino.example>',
      subject: 'Re: YOUR ACCOUNT IS CLOSED',
      text: 'Press http://203.0.113.9/login now',
    })
    expect(junk).toMatch(/^Subject: \[abuse@[^\]]+\]\s+\[Junk\]/m)
    expect(junk).toContain('It looks like junk mail:\r\n- ')
    const good = await passedOn(box, { subject: 'A complaint', text: 'Please look at this' })
    expect(good).toMatch(/^Subject: \[abuse@[^\]]+\]\s+A complaint/m)
    expect(good).not.toContain('It looks like junk mail')
  })
})

describe('rules', () => {
  test('what they find goes to Junk and is explained in the opened message', async () => {
    const box = await aBox()
    const { id, role } = await receive(box, {
      from: '"service@bank.example" <eve@casino.example>',
      subject: 'Re: YOUR ACCOUNT IS CLOSED',
      text: 'Press http://203.0.113.9/login now',
    })
    expect(role).toBe('junk')
    const { junk, folder } = await getMessage(app, box.who, box.id, id)
    expect(folder).toBe('junk')
    expect(junk).toEqual({
      score: 5.5,
      isJunk: true,
      reasons: [
        {
          text: 'Its sender shows the name service@bank.example, but writes from eve@casino.example',
          points: 2.5,
        },
        { text: 'A link leads to a server without a name, 203.0.113.9', points: 2 },
        { text: 'It calls itself an answer, and answers nothing', points: 1 },
      ],
    })
    const [inbox, junkFolder] = (await listFoldersOf(app, box.who, box.id)).filter(
      ({ role: name }) => name === 'inbox' || name === 'junk',
    )
    expect([inbox?.messages, junkFolder?.messages, junkFolder?.unread]).toEqual([0, 1, 1])
  })

  test('each recipient has a verdict of its own, and one copy', async () => {
    const [one, other] = [await aBox(), await aBox()]
    await teach(one)
    const raw = letterOf(junkLetter(77))
    const to = [one.email, other.email, one.email]
    expect(await sendMail(inbound.port, { to, raw })).toMatch(/^250 /)
    const rows = await app.db
      .selectFrom('messages')
      .innerJoin('folders', 'folders.id', 'messages.folderId')
      .select(['messages.mailboxId', 'role'])
      .where('subject', '=', 'Jackpot number 77')
      .execute()
    expect(rows.length).toBe(2)
    expect(rows).toContainEqual({ mailboxId: one.id, role: 'junk' })
    expect(rows).toContainEqual({ mailboxId: other.id, role: 'inbox' })
  })
})

describe('learning', () => {
  test('what is like what I marked goes to Junk by itself, with the words that say so', async () => {
    const box = await aBox()
    await teach(box)
    const { role, junk } = await receive(box, junkLetter(50))
    expect(role).toBe('junk')
    expect(junk?.reasons[0]?.text).toMatch(/^It is very like what you marked as junk \(“.+”\)$/)
    expect((await receive(box, goodLetter(50))).role).toBe('inbox')
    expect((await receive(box, { subject: 'Rowing', text: 'Shall we take the boat?' })).role).toBe(
      'inbox',
    )
  })

  test('too little teaches nothing: four of each are no opinion', async () => {
    const box = await aBox()
    await teach(box, 4)
    expect(await receive(box, junkLetter(50))).toMatchObject({
      role: 'inbox',
      junk: { reasons: [] },
    })
  })

  test('not junk is learnt too, and takes back what was learnt of the same message', async () => {
    const box = await aBox()
    await teach(box, 5)
    const { id, role } = await receive(box, junkLetter(60))
    expect(role).toBe('junk')
    await move(box, id, 'inbox')
    expect(await modelOf(box)).toMatchObject({ junkCount: 5, goodCount: 6 })
    for (let n = 0; n < 6; n++) {
      const again = await receive(box, junkLetter(60))
      if (again.role === 'junk') await move(box, again.id, 'inbox')
    }
    expect((await receive(box, junkLetter(60))).role).toBe('inbox')
  })

  test('a message counts once, however often it moves; Trash says nothing', async () => {
    const box = await aBox()
    const { id } = await receive(box, junkLetter(1))
    for (const folder of ['junk', 'inbox', 'junk', 'trash', 'junk', 'trash'])
      await move(box, id, folder)
    expect(await modelOf(box)).toMatchObject({ junkCount: 1, goodCount: 0 })
    await move(box, id, 'archive')
    expect(await modelOf(box)).toMatchObject({ junkCount: 0, goodCount: 1 })
    const other = await receive(box, junkLetter(2))
    await deleteMessage(app, box.who, box.id, other.id)
    await move(box, other.id, 'inbox')
    expect(await modelOf(box)).toMatchObject({ junkCount: 0, goodCount: 1 })
  })

  test('many pressed at once are all learnt', async () => {
    const box = await aBox()
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push((await receive(box, junkLetter(n))).id)
    await Promise.all(ids.map((id) => move(box, id, 'junk')))
    expect(await modelOf(box)).toMatchObject({ junkCount: 12, goodCount: 0 })
    await Promise.all(ids.flatMap((id) => [move(box, id, 'inbox'), move(box, id, 'inbox')]))
    expect(await modelOf(box)).toMatchObject({ junkCount: 0, goodCount: 12 })
  })

  test('whom I have written to is not put aside for words alone', async () => {
    const box = await aBox()
    await teach(box)
    const form = { cc: [], bcc: [], subject: 'Game night', text: 'Tell me', attachments: [] }
    await sendMessage(app, box.who, box.id, {
      ...form,
      to: ['Friend <friend@games.example>'],
      draft: false,
    })
    const letter = { ...junkLetter(70), from: 'Friend@games.example' }
    const { role, junk } = await receive(box, letter)
    expect(role).toBe('inbox')
    expect(junk?.reasons[0]).toMatchObject({
      text: expect.stringMatching(/, but you have written to Friend@games\.example$/),
      points: 0,
    })
    expect((await receive(box, { ...letter, from: 'foe@games.example' })).role).toBe('junk')
  })

  test('one’s own mail teaches nothing', async () => {
    const box = await aBox()
    const form = { cc: [], bcc: [], subject: 'Jackpot', text: 'Mine', attachments: [] }
    const { _id } = await sendMessage(app, box.who, box.id, {
      ...form,
      to: ['friend@games.example'],
      draft: false,
    })
    await move(box, _id, 'junk')
    expect(await modelOf(box)).toBe(undefined)
  })
})

describe('tenants', () => {
  test('what one mailbox learns changes nothing for another, and nobody else can teach it', async () => {
    const [mine, theirs] = [await aBox(), await aBox()]
    await teach(mine)
    expect((await receive(theirs, junkLetter(80))).role).toBe('inbox')
    expect(await modelOf(theirs)).toBe(undefined)
    const { id } = await receive(mine, goodLetter(81))
    const before = await modelOf(mine)
    await expect(move({ ...theirs, id: mine.id }, id, 'junk')).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
    await expect(move(theirs, id, 'junk')).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    expect(await modelOf(mine)).toEqual(before)
  })

  test('a model goes with its mailbox', async () => {
    const box = await aBox()
    await teach(box, 1)
    await app.db.deleteFrom('mailboxes').where('id', '=', box.id).execute()
    expect(await modelOf(box)).toBe(undefined)
  })
})
