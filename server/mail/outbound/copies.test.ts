/** Copies of a mail with hidden recipients: none of them reveals a hidden recipient. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { anOutgoingWorld, areAll, type OutgoingWorld } from '#test-world/outgoing/outgoing-world.ts'

let world: OutgoingWorld
let seen: Mailbox
let hidden: Mailbox
beforeAll(async () => {
  world = await anOutgoingWorld()
  const { app, mailbox, who } = world
  const domain = await app.db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', mailbox.domainId)
    .executeTakeFirstOrThrow()
  await storeKey(app.db, domain, await makeKey(app))
  await letRead(app, mailbox, who.userId)
  seen = await aMailbox(app, { localPart: 'seen' })
  hidden = await aMailbox(app, { localPart: 'hidden-here' })
  await world.work()
})
afterAll(() => world.close())

test('the bytes of every copy: to others, to mailboxes here, in Sent, and in a bounce', async () => {
  const { app, who, mailbox, peer } = world
  peer.behave = (stage, to) =>
    stage === 'rcpt' && to.startsWith('gone@') ? '550 5.1.1 nobody' : undefined
  await sendMessage(app, who, mailbox.id, {
    ...{ subject: 'Hi', text: 'Hello', html: '<p>Hello</p>', attachments: [], draft: false },
    to: ['bob@example.net', 'gone@example.net'],
    cc: [seen.email],
    bcc: ['Hidden Person <hidden-there@example.net>', hidden.email],
  })
  await world.until(areAll('delivered', 'failed'))
  const stored = await app.db.selectFrom('messages').selectAll().execute()
  const kept = await Promise.all(
    stored.map(async ({ mailboxId, blob }) => ({ mailboxId, raw: await app.blobs.get(blob) })),
  )
  expect(peer.messages.map(({ to }) => to[0]).sort()).toEqual([
    'bob@example.net',
    'hidden-there@example.net',
  ])
  // Sent, the bounce, and the copies of two local mailboxes.
  expect(kept.map(({ mailboxId }) => mailboxId).sort()).toEqual(
    [mailbox.id, mailbox.id, seen.id, hidden.id].sort(),
  )
  const copies = [...peer.messages, ...kept.filter(({ mailboxId }) => mailboxId !== hidden.id)]
  expect(copies).toHaveLength(5)
  for (const { raw } of copies) {
    expect(raw.toString()).toContain('bob@example.net')
    expect(raw.toString()).not.toMatch(/hidden|^bcc:/im)
  }
  const own = kept.find(({ mailboxId }) => mailboxId === hidden.id)?.raw.toString() ?? ''
  expect(own).not.toMatch(/hidden-there|hidden person|^bcc:/im)
  expect(own.match(/hidden-here/g)).toHaveLength(1)
})
