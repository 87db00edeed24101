/** Events on their way to receivers over real sockets; signatures are judged by the package of Standard Webhooks. */
import { Webhook as Judge } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { webhookTopics } from '#contract/developers/webhook-topics.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import type { Loop } from '#server/jobs/loop.ts'
import { startWebhooks } from '#server/jobs/webhook-worker.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Domain, type Mailbox } from '#test-world/builders.ts'
import { aClock } from '#test-world/clock.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { aReceiver, type Receiver } from '#test-world/outgoing/webhook-receiver.ts'
import { listAttempts } from './attempts.ts'
import { addWebhook } from './webhooks.ts'

let app: TestApp
let receiver: Receiver
let who: Who
let domain: Domain
let ada: Mailbox
let worker: Loop | null = null
beforeAll(async () => {
  // Signatures are good for five minutes of the judge's clock.
  app = await anApp({ clock: aClock(new Date()) })
})
afterAll(() => app.close())
beforeEach(async () => {
  receiver = await aReceiver()
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
})
afterEach(async () => {
  await worker?.close()
  worker = null
  await receiver.close()
})

const start = (times: Parameters<typeof startWebhooks>[1] = {}) => {
  worker = startWebhooks(app, times)
}
const receive = (mailbox: Mailbox, subject = 'Engines') =>
  receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(letterText({ subject, body: 'Hello.' })),
      ...{ mailFrom: 'eve@example.net', authentication: null },
    },
    [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
  )

test('an event arrives signed, with what its topic promises', async () => {
  const { secret, _id } = await addWebhook(app, who, {
    url: receiver.url,
    topics: ['mail.received'],
  })
  start()
  await receive(ada)
  const [got] = await receiver.arrived(1)
  const said = new Judge(secret).verify(got?.body ?? '', got?.headers as never)
  expect(said).toEqual({
    type: 'mail.received',
    timestamp: app.clock.now().toISOString(),
    data: expect.objectContaining({ mailboxId: ada.id, mailbox: ada.email, folder: 'inbox' }),
  })
  expect(() =>
    new Judge('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').verify(
      got?.body ?? '',
      got?.headers as never,
    ),
  ).toThrow(/signature/)
  webhookTopics['mail.received'].data.strict().parse((said as { data: unknown }).data)
  await expect
    .poll(() => listAttempts(app, who, _id, { limit: 50 }))
    .toMatchObject({
      items: [{ status: 200, reason: '', state: 'delivered', topic: 'mail.received' }],
    })
})
