/** A tenant whose receivers are dead, with ten thousand events, keeps no other tenant waiting. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import type { Loop } from '#server/jobs/loop.ts'
import { startWebhooks } from '#server/jobs/webhook-worker.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { aReceiver, type Receiver } from '#test-world/outgoing/webhook-receiver.ts'
import { noteEvents } from './event-queries.ts'
import { addWebhook } from './webhooks.ts'

const EVENTS = 10_000
const DEAD_WEBHOOKS = 10
const MAILS = 15

let app: TestApp
let worker: Loop
let good: Receiver
let dead: Receiver
let ada: Mailbox
beforeAll(async () => {
  app = await anApp()
  good = await aReceiver()
  dead = await aReceiver()
  dead.answers(() => {})
  const who = await aMember(app)
  ada = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await addWebhook(app, who, { url: good.url, topics: ['mail.received'] })
  worker = startWebhooks(app)
})
afterAll(async () => {
  await dead.close()
  await worker.close()
  await good.close()
  await app.close()
})

/**
 * The longest time from a mail's filing to its event. The middle one says nothing: it is a second where the worker looks by its clock, and
 * far less where the mail comes while it has just looked.
 */
const longestMs = async (): Promise<number> => {
  const times: number[] = []
  for (let n = 0; n < MAILS; n++) {
    const before = good.seen.length
    const startedAt = performance.now()
    await receiveMessage(
      app,
      app.db,
      {
        raw: Buffer.from(letterText({ subject: `Engine ${n}`, body: 'Hello.' })),
        ...{ mailFrom: 'eve@example.net', authentication: null },
      },
      [{ mailboxId: ada.id, workspaceId: ada.workspaceId }],
    )
    await expect
      .poll(() => good.seen.length, { timeout: 60_000, interval: 10 })
      .toBeGreaterThan(before)
    times.push(performance.now() - startedAt)
  }
  return Math.max(...times)
}

const manyEventsFor = async (who: Who) => {
  for (let n = 0; n < DEAD_WEBHOOKS; n++)
    await addWebhook(app, who, { url: dead.url, topics: ['domain.added'] })
  const events = Array.from({ length: EVENTS / DEAD_WEBHOOKS }, (_, n) => {
    const id = newId()
    const data = { domainId: id, name: `x${n}.example` }
    const own = { workspaceId: who.workspaceId, about: id, at: app.clock.now() }
    return { topic: 'domain.added' as const, ...own, data }
  })
  await noteEvents(app.db, events)
}

test('the second tenant waits at most threefold', { timeout: 300_000 }, async () => {
  const aloneMs = await longestMs()
  await manyEventsFor(await aMember(app))
  await dead.arrived(8)
  const besideMs = await longestMs()
  console.log(
    `alone ${Math.round(aloneMs)} ms, beside ${EVENTS} dead events ${Math.round(besideMs)} ms`,
  )
  expect(besideMs).toBeLessThan(aloneMs * 3)
  // Among them all, a workspace has eight tries at once.
  expect(dead.seen.length).toBeLessThan(100)
})
