import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { getAttachment, getMessage, zipAttachments } from '#server/features/messages/get-message.ts'
import { listMessages } from '#server/features/messages/list-messages.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { Mailbox } from '#test-world/builders.ts'
import { aMailReader, aMember } from '#test-world/members.ts'
import { answerInvitation, getInvitation } from './invitations.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ who, mailbox } = await aMailReader(app))
})

const calendarOf = (method: string, lines: string[] = []): string =>
  [
    ...[
      'BEGIN:VCALENDAR',
      `METHOD:${method}`,
      'BEGIN:VEVENT',
      'UID:plan@x.example',
      'SUMMARY:Plans',
    ],
    ...['DTSTART:20261201T090000Z', 'ORGANIZER;CN=Grace:mailto:grace@navy.example', 'SEQUENCE:0'],
    ...[`ATTENDEE;CN=Ada:mailto:${mailbox.email}`, ...lines, 'END:VEVENT', 'END:VCALENDAR'],
  ].join('\r\n')

/** As Google sends it: beside the text, and as a file once more. */
const invite = async (calendar: string): Promise<string> => {
  const part = (type: string, content: string) => ['--b', `Content-Type: ${type}`, '', content]
  const raw = [
    ...['From: Grace <grace@navy.example>', 'Subject: Invitation: Plans', 'MIME-Version: 1.0'],
    ...['Message-ID: <plan@navy.example>', 'Content-Type: multipart/mixed; boundary=b', ''],
    ...part('text/plain', 'Plans on Tuesday'),
    ...part('text/calendar; method=REQUEST', calendar),
    ...part('application/ics; name=invite.ics', calendar),
    '--b--',
  ].join('\r\n')
  const given = { raw: Buffer.from(raw), mailFrom: 'grace@navy.example', authentication: null }
  const place = { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }
  await receiveMessage(app, app.db, given, [place])
  return (await list('inbox'))[0]?._id ?? ''
}
const list = async (folder: string) =>
  (await listMessages(app, who, mailbox.id, { folder, limit: 50 })).items

test('an invitation is shown once, and a yes goes to the organiser as a calendar understands it', async () => {
  const id = await invite(calendarOf('REQUEST'))
  const { invitation } = await getInvitation(app, who, mailbox.id, id)
  expect(invitation).toMatchObject({
    ...{ title: 'Plans', answer: null, isCancelled: false, isUpdate: false, copies: [0] },
    organizer: { name: 'Grace', address: 'grace@navy.example' },
  })
  const answered = await answerInvitation(app, who, mailbox.id, id, 'accepted')
  expect(answered.invitation?.answer).toBe('accepted')
  const [sent] = await list('sent')
  expect(sent).toMatchObject({
    subject: 'Accepted: Plans',
    to: [{ address: 'grace@navy.example' }],
  })
  const reply = await getMessage(app, who, mailbox.id, sent?._id ?? '')
  expect(reply.attachments.map(({ contentType }) => contentType)).toEqual(['text/calendar'])
  const { content } = await getAttachment(app, who, mailbox.id, sent?._id ?? '', 0)
  expect(content.toString().replaceAll('\r\n ', '')).toContain(
    `ATTENDEE;PARTSTAT=ACCEPTED;CN="Ada":mailto:${mailbox.email}`,
  )
  expect(await sourceOf(sent?._id ?? '')).toMatch(
    /Content-Type: text\/calendar; charset=utf-8; method=REPLY/,
  )
  // Another answer takes the place of the first.
  await answerInvitation(app, who, mailbox.id, id, 'tentative')
  expect((await getInvitation(app, who, mailbox.id, id)).invitation?.answer).toBe('tentative')
  expect(await list('sent')).toHaveLength(2)
})

const sourceOf = async (id: string) => {
  const { blob } = await app.db
    .selectFrom('messages')
    .select('blob')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return (await app.blobs.get(blob)).toString()
}

test('a cancellation and one without an organiser cannot be answered', async () => {
  const cancelled = await invite(calendarOf('CANCEL'))
  expect((await getInvitation(app, who, mailbox.id, cancelled)).invitation?.isCancelled).toBe(true)
  await expect(answerInvitation(app, who, mailbox.id, cancelled, 'accepted')).rejects.toMatchObject(
    {
      type: 'NOT_EXISTS',
    },
  )
  app.clock.advance({ seconds: 1 })
  const nobodys = await invite(calendarOf('REQUEST').replace(/ORGANIZER.*\r\n/, ''))
  expect((await getInvitation(app, who, mailbox.id, nobodys)).invitation?.organizer).toBeNull()
  await expect(answerInvitation(app, who, mailbox.id, nobodys, 'declined')).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  expect(await list('sent')).toEqual([])
})

test('a letter without a calendar has no invitation, and nobody reads that of another mailbox', async () => {
  const id = await invite('nonsense')
  expect(await getInvitation(app, who, mailbox.id, id)).toEqual({ invitation: null })
  const stranger = await aMember(app)
  for (const act of [
    () => getInvitation(app, stranger, mailbox.id, id),
    () => answerInvitation(app, stranger, mailbox.id, id, 'accepted'),
    () => zipAttachments(app, stranger, mailbox.id, id),
  ])
    await expect(act()).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('all attachments come as one archive', async () => {
  const id = await invite(calendarOf('REQUEST'))
  const zip = await zipAttachments(app, who, mailbox.id, id)
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(zip.toString('latin1')).toContain('invite.ics')
})
