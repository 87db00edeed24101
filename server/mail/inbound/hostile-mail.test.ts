/** Mails that attack their parser: each is refused, or stored byte for byte and can be opened. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { message as openedMessage } from '#contract/messages.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { getMessage } from '#server/features/messages/get-message.ts'
import { listMessages } from '#server/features/messages/list-messages.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { hostileMails } from '#test-world/trials/hostile-mails.ts'
import { openInbound } from './listener.ts'

let app: TestApp
let inbound: Awaited<ReturnType<typeof openInbound>>
let who: Who
let to: string
let mailboxId: string
beforeAll(async () => {
  app = await anApp()
  inbound = await openInbound(app)
  who = await aMember(app)
  const mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who), localPart: 'ada' })
  to = mailbox.email
  mailboxId = mailbox.id
  await letRead(app, mailbox, who.userId)
})
afterAll(async () => {
  await inbound.close()
  await app.close()
})

const stored = async () => {
  const lists = []
  for (const folder of ['inbox', 'junk'])
    lists.push((await listMessages(app, who, mailboxId, { folder, limit: 200 })).items)
  return lists.flat()
}

test.each(hostileMails)('$name', async ({ raw }) => {
  const before = new Set((await stored()).map(({ _id }) => _id))
  const said = await sendMail(inbound.port, { to, raw })
  const after = (await stored()).filter(({ _id }) => !before.has(_id))
  if (!said.startsWith('250 ')) {
    expect(said).toMatch(/^55\d 5\.\d\.\d /)
    expect(after).toEqual([])
    return
  }
  expect(after).toHaveLength(1)
  const id = after[0]?._id ?? ''
  const opened = await getMessage(app, who, mailboxId, id)
  expect(openedMessage.safeParse(opened).error).toBeUndefined()
  const { blob } = await app.db
    .selectFrom('messages')
    .select('blob')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const whole =
    raw.length > 0 && !raw.toString('latin1').endsWith('\r\n')
      ? `${raw.toString('latin1')}\r\n`
      : raw.toString('latin1')
  expect((await app.blobs.get(blob)).toString('latin1').endsWith(whole)).toBe(true)
})
