/** Aliases and catch-alls as another mail server sees them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { addAlias, removeAlias, setCatchAll } from '#server/features/mailboxes/aliases.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Domain, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { anSmtpClient, sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

let app: TestApp
let inbound: Awaited<ReturnType<typeof openInbound>>
let who: Who
let domain: Domain
let ada: Mailbox
let rest: Mailbox

beforeAll(async () => {
  app = await anApp()
  inbound = await openInbound(app)
})
afterAll(async () => {
  await inbound.close()
  await app.close()
})
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  rest = await aMailbox(app, { domain, localPart: 'rest' })
  await aMailbox(app, { domain, localPart: 'unpaid', status: 'inactive' })
})

const raw = 'From: Eve <eve@example.net>\r\nSubject: Hello\r\n\r\nHello\r\n'
const deliver = (...locals: string[]) =>
  sendMail(inbound.port, { to: locals.map((local) => `${local}@${domain.name}`), raw })
const received = async ({ id }: Mailbox) => {
  const rows = await app.db
    .selectFrom('messages')
    .select('blob')
    .where('mailboxId', '=', id)
    .orderBy('uid')
    .execute()
  return Promise.all(rows.map(async ({ blob }) => (await app.blobs.get(blob)).toString()))
}
const alias = (local: string) => addAlias(app, who, ada.id, { email: `${local}@${domain.name}` })

test('an alias takes mail from the moment it is added until it is removed, in any case and with a tag', async () => {
  expect(await deliver('countess')).toMatch(/^550 5\.1\.1 /)
  const { _id } = await alias('countess')
  for (const local of ['countess', 'COUNTESS', 'Countess+fans'])
    expect(await deliver(local)).toMatch(/^250 /)
  const mails = await received(ada)
  expect(mails).toHaveLength(3)
  // The trace names the recipient address.
  expect(mails[2]).toContain(`for <Countess+fans@${domain.name}>`)
  await removeAlias(app, who, ada.id, _id)
  expect(await deliver('countess')).toMatch(/^550 5\.1\.1 /)
  expect(await received(ada)).toHaveLength(3)
})

test('one copy for a mailbox that is named by several of its addresses', async () => {
  await alias('countess')
  await setCatchAll(app, who, domain.id, ada.id)
  expect(await deliver('ada', 'countess', 'nobody', 'ada+x', 'rest')).toMatch(/^250 /)
  expect(await received(ada)).toHaveLength(1)
  expect(await received(rest)).toHaveLength(1)
})

describe('a catch-all', () => {
  const replyTo = async (local: string): Promise<string> => {
    const client = await anSmtpClient(inbound.port)
    try {
      await client.reply()
      await client.say('EHLO peer.example.net')
      await client.say('MAIL FROM:<eve@example.net>')
      return await client.say(`RCPT TO:<${local}@${domain.name}>`)
    } finally {
      client.close()
    }
  }

  test('takes what is for nobody, and nothing that is for somebody', async () => {
    await alias('countess')
    const all = ['nobody', 'nobody+x', 'ada', 'ada+x', 'countess', 'unpaid', 'unpaid+x', 'abuse']
    const replies = async () =>
      Object.fromEntries(
        await Promise.all(
          all.map(async (local) => [local, (await replyTo(local)).slice(0, 3)] as const),
        ),
      )
    const before = await replies()
    expect(before).toEqual({
      ...{ nobody: '550', 'nobody+x': '550', ada: '250', 'ada+x': '250', countess: '250' },
      ...{ unpaid: '550', 'unpaid+x': '550', abuse: '250' },
    })
    await setCatchAll(app, who, domain.id, rest.id)
    expect(await replies()).toEqual({ ...before, nobody: '250', 'nobody+x': '250' })
    for (const local of all.filter((each) => each !== 'abuse' && !each.startsWith('unpaid')))
      expect(await deliver(local), local).toMatch(/^250 /)
    expect(await received(rest)).toHaveLength(2)
    expect(await received(ada)).toHaveLength(3)
  })
})
