import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookTopics } from '#contract/developers/webhook-topics.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { addWebhook, changeWebhook } from '#server/features/webhooks/webhooks.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMember } from '#test-world/members.ts'
import { troubleOf, webhookTrouble } from './webhook-trouble.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const aHook = async () => {
  const who = await aMember(app)
  const form = { url: 'http://hooks.example/', topics: ['member.left' as const] }
  return { who, id: (await addWebhook(app, who, form))._id }
}

test('an event that nobody tries for a quarter of an hour is trouble, unless its webhook fails or is off', async () => {
  const { who, id } = await aHook()
  const { workspaceId } = who
  const data = webhookTopics['member.left'].example
  const event = { topic: 'member.left' as const, workspaceId, about: newId(), data }
  await noteEvent(app.db, { ...event, at: app.clock.now() })
  app.clock.advance({ minutes: 14 })
  expect(await webhookTrouble.look(app)).toBeNull()
  app.clock.advance({ minutes: 1 })
  const said = 'Events for webhooks are due, and have not been tried for 15 minutes.'
  expect(await webhookTrouble.look(app)).toBe(said)
  const fails = (failures: number) =>
    app.db.updateTable('webhooks').set({ failures }).where('id', '=', id).execute()
  await fails(1)
  expect(await webhookTrouble.look(app)).toBeNull()
  await fails(0)
  expect(await webhookTrouble.look(app)).toBe(said)
  await changeWebhook(app, who, id, { isOn: false })
  expect(await webhookTrouble.look(app)).toBeNull()
})

test('webhooks of several workspaces that were switched off within a day are trouble', async () => {
  const hooks = await Promise.all(Array.from({ length: 5 }, aHook))
  const off = (offReason: 'failing' | 'gone' | 'full') =>
    app.db
      .updateTable('webhooks')
      .set({ offReason, offAt: app.clock.now() })
      .where(
        'id',
        'in',
        hooks.map(({ id }) => id),
      )
      .execute()
  await off('gone')
  expect(await webhookTrouble.look(app)).toBeNull()
  await off('failing')
  expect(await webhookTrouble.look(app)).toBe(
    '5 webhooks of 5 workspaces were switched off in the last day, since their events did not arrive.',
  )
  app.clock.advance({ days: 1 })
  expect(await webhookTrouble.look(app)).toBeNull()
})

test.each([
  [4, 4, false],
  [5, 2, false],
  [5, 3, true],
])('%i of %i workspaces', (off, offWorkspaces, isTrouble) => {
  const said = troubleOf({ dueSince: null, off, offWorkspaces }, app.clock.now())
  expect(said !== null).toBe(isTrouble)
})
