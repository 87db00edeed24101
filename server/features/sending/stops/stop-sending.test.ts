/** An Admin resumes between the moment in which a delivery is held back and that in which it is written down. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDueDelivery, messageOf } from '#server/features/outbox/claim-deliveries.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { finishAttempt } from '../finish-attempt.ts'
import { holdBack } from './stop-sending.ts'
import { endStop, insertStop } from './stops-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

test.each([
  ['a stop that holds: it waits', false],
  ['resumed in between: it is due at once', true],
])('%s', async (_name, isResumed) => {
  const { id: mailboxId, workspaceId, email } = await aMailbox(app)
  const raw = Buffer.from('Subject: Hi\r\n\r\nHello\r\n')
  const mail = { workspaceId, mailboxId, mailFrom: email, raw }
  await enqueueMessage(app, app.db, { ...mail, recipients: ['grace@example.net'] })
  const place = { workspaceId, mailboxId }
  const now = app.clock.now()
  const why = { failed: 10, ended: 10, example: 'no' }
  await insertStop(app.db, { id: newId(), ...place, stoppedAt: now, ...why, resumedAt: null })
  const delivery = await claimDueDelivery(app, 1, [])
  const message = delivery && (await messageOf(app, delivery))
  if (!delivery || !message) throw new Error('nothing was claimed')
  const held = await holdBack(app, message)
  if (held === null) throw new Error('it was not held back')
  if (isResumed) await endStop(app.db, place, now)
  await finishAttempt(app, { by: 1, delivery, message, raw }, [held], null)
  const { nextAttemptAt, status } = await app.db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', delivery.id)
    .executeTakeFirstOrThrow()
  expect(status).toBe('queued')
  expect(nextAttemptAt <= now).toBe(isResumed)
})
