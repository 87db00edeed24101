import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { up } from '#server/storage/migrations/0011-0020/0013-brakes.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { sendMessage } from './send-message.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

test('an installation that is updated knows whom its mailboxes have written to', async () => {
  const who = await aMember(app)
  const mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, mailbox, who.userId)
  const write = (to: string, bcc: string[], draft: boolean) =>
    sendMessage(app, who, mailbox.id, {
      ...{ to: [to], cc: [], bcc, subject: 'Hi', text: 'Hello', attachments: [], draft },
    })
  await write('Eve <Eve@elsewhere.example>', ['bob@bücher.example'], false)
  await write('eve@elsewhere.example', [], false)
  await write('nobody@elsewhere.example', [], true)
  const known = () => app.db.selectFrom('correspondents').selectAll().orderBy('address').execute()
  const before = await known()
  expect(before.map(({ address }) => address)).toEqual([
    'bob@xn--bcher-kva.example',
    'eve@elsewhere.example',
  ])

  await sql`drop table sendings, correspondents, bounces, sending_stops`.execute(app.db)
  // As their key was then.
  await sql`alter table mailboxes drop constraint mailboxes_pkey, add constraint mailboxes_pkey primary key (id)`.execute(
    app.db,
  )
  // A migration knows no types of tables.
  await up(app.db as unknown as Kysely<unknown>)
  expect(await known()).toEqual(before)
})
