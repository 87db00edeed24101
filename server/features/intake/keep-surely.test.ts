/** The connection to PostgreSQL breaks at the moment of a commit: whoever sends the mail hears 250, and it is there once. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openInbound } from '#server/mail/inbound/listener.ts'
import { openDatabase } from '#server/storage/database.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type Mailbox } from '#test-world/builders.ts'
import { aDatabaseSwitch, type DatabaseSwitch } from '#test-world/postgres/database-switch.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'

let world: TestApp
/** Reaches its database through `way`. */
let app: TestApp
let way: DatabaseSwitch
let inbound: Awaited<ReturnType<typeof openInbound>>
let ada: Mailbox

beforeAll(async () => {
  world = await anApp()
  way = await aDatabaseSwitch(world.database)
  const db = openDatabase(
    { connection: { connectionString: way.url }, maxConnections: 10 },
    () => {},
  )
  app = await anApp({ database: { ...world.database, db }, clock: world.clock })
  inbound = await openInbound(app)
})
afterAll(async () => {
  await inbound.close()
  await app.close()
  await app.db.destroy()
  way.close()
  await world.close()
})
beforeEach(async () => {
  ada = await aMailbox(world, { localPart: 'ada' })
})

const raw = (subject: string) =>
  `From: Grace <grace@example.net>\r\nSubject: ${subject}\r\n\r\nHello\r\n`
const send = (subject: string, to: string | string[] = ada.email) =>
  sendMail(inbound.port, { to, raw: raw(subject) })
const subjectsOf = async ({ id }: Mailbox) => {
  const query = world.db.selectFrom('messages').select('subject').where('mailboxId', '=', id)
  return (await query.execute()).map(({ subject }) => subject)
}
const numbersOf = ({ id }: Mailbox) =>
  world.db
    .selectFrom('folders')
    .select(['messageCount', 'unreadCount'])
    .where('mailboxId', '=', id)
    .where('role', '=', 'inbox')
    .executeTakeFirstOrThrow()

test.each(['request', 'answer', 'client'] as const)(
  'the %s is lost where one statement files the mail',
  async (what) => {
    way.lose('insert into messages', what)
    expect(await send(what)).toMatch(/^250 /)
    expect(await subjectsOf(ada)).toEqual([what])
    expect(await numbersOf(ada)).toEqual({ messageCount: 1, unreadCount: 1 })
  },
)

test.each(['request', 'answer', 'client'] as const)(
  'the %s is lost where a transaction files it for two',
  async (what) => {
    const bob = await aMailbox(world, { localPart: 'bob' })
    way.lose('commit', what)
    expect(await send(what, [ada.email, bob.email])).toMatch(/^250 /)
    for (const mailbox of [ada, bob]) expect(await subjectsOf(mailbox)).toEqual([what])
  },
)

test('mail for a role, whose answer is lost, is passed on once', async () => {
  const workspace = await aWorkspace(world, {
    members: [{ user: await aUser(world), role: 'Admin' }],
  })
  const { name } = await aDomain(world, { workspaceId: workspace.id, active: true })
  const before = await outgoing()
  way.lose('commit', 'answer')
  expect(await send('for the postmaster', `postmaster@${name}`)).toMatch(/^250 /)
  expect((await outgoing()) - before).toBe(1)
})

const outgoing = async () =>
  (await world.db.selectFrom('outboxMessages').select('id').execute()).length

test('a statement that still runs when it is asked again is waited for', async () => {
  let free = () => {}
  const held = world.db.transaction().execute(async (tx) => {
    await sql`select 1 from mailboxes where id = ${ada.id} for update`.execute(tx)
    await new Promise<void>((resolve) => (free = resolve))
  })
  way.lose('insert into messages', 'client')
  const sent = send('patient')
  await waitFor(async () => (await waitingForLocks()) === 2)
  free()
  await held
  expect(await sent).toMatch(/^250 /)
  expect(await subjectsOf(ada)).toEqual(['patient'])
})

const waitingForLocks = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db)
  return rows[0]?.count ?? 0
}

const waitFor = async (isIt: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await isIt()); tries++) {
    if (tries > 200) throw new Error('it never came')
    await wait(50)
  }
}

test('a mailbox that this mail filled to the brim answers 250, not that it is full', async () => {
  const full = await aMailbox(world, { usedBytes: 75_000_000_000 - 1_200 })
  way.lose('commit', 'answer')
  expect(await send('the last one', full.email)).toMatch(/^250 /)
  expect(await subjectsOf(full)).toEqual(['the last one'])
  expect(await send('one too many', full.email)).toMatch(/^452 4\.2\.2 /)
})
