/**
 * kill -9 of everything around a POST with an Idempotency-Key: whatever of it was done, the same request does nothing twice (decision
 * 121). A trigger holds the process at the step before which it is killed.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitStorage } from '#server/storage/open-storage.ts'
import { aProduct, ELSEWHERE, NO_BRAKES, type Product } from '../product.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain } from './account.ts'

let product: Product
let account: Account
let key: string
let path: string
beforeAll(async () => {
  product = await aProduct({ BILLING: 'off', ...NO_BRAKES })
  account = await anAccount(product, `ada@${ELSEWHERE}`)
  const domain = await anActiveDomain(product, account, 'repeats.example')
  path = `/mailboxes/${(await aMailboxAt(account, domain, 'grace'))._id}/messages`
  const form = { name: 'Sender', scopes: ['mail:send', 'messages:read'] }
  key = (await account.ask('POST', '/api-keys', form)).key
})
afterAll(() => product.close())

const send = async (subject: string) => {
  const answer = await fetch(`${product.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      'idempotency-key': subject.replaceAll(' ', '-'),
    },
    body: JSON.stringify({ to: [`lise@${ELSEWHERE}`], subject, text: 'Once' }),
  })
  const replayed = answer.headers.get('idempotency-replayed')
  return { status: answer.status, replayed, body: await answer.json() }
}

const sent = async (subject: string): Promise<number> => {
  const answer = await fetch(`${product.url}/api/v1${path}?folder=sent&limit=200`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { items } = await answer.json()
  return items.filter((message: { subject: string }) => message.subject === subject).length
}

const visit = () =>
  visitStorage({ databaseUrl: null, dataDir: product.dataDir }, { onError: () => {} })

type Step = { table: 'messages' | 'idempotency_keys'; event: 'insert' | 'update' }

const HELD = 4711

/** The next process that comes to this step waits there. Resolves `reached` when it does. */
const holdAt = async ({ table, event }: Step) => {
  const storage = await visit()
  await sql
    .raw(`create or replace function hold_here() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(${HELD}); return new; end $$`)
    .execute(storage.db)
  await sql
    .raw(
      `create trigger hold before ${event} on ${table} for each row execute function hold_here()`,
    )
    .execute(storage.db)
  // A visit has one connection.
  const looking = await visit()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const holding = storage.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(HELD)})`.execute(connection)
    taken.resolve()
    await over
  })
  await taken.promise
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks
      where locktype = 'advisory' and objid = ${HELD} and not granted`.execute(looking.db)
    return rows[0]?.n
  }
  const reached = () => expect.poll(waiting, { timeout: 60_000 }).toBe(1)
  const leave = async () => {
    end()
    await holding.catch(() => {})
    for (const each of [storage, looking]) await each.close().catch(() => {})
  }
  return { reached, leave }
}

const release = async ({ table }: Step): Promise<void> => {
  const storage = await visit()
  await sql.raw(`drop trigger hold on ${table}`).execute(storage.db)
  await storage.close()
}

test.each([
  ['before the mail is kept', { table: 'messages', event: 'insert' }, 0],
  ['between the mail and its answer', { table: 'idempotency_keys', event: 'update' }, 1],
] as const)(
  'killed %s, the same request says that nobody knows, and sends nothing',
  async (when, step, count) => {
    const hold = await holdAt(step)
    const first = send(when).catch(() => 'no answer')
    await hold.reached()
    await product.kill()
    expect(await first).toBe('no answer')
    await hold.leave()
    await product.start()
    await release(step)
    for (let n = 0; n < 3; n += 1)
      expect(await send(when)).toMatchObject({
        ...{ status: 409, body: { type: 'IDEMPOTENCY_RUNNING' }, replayed: null },
      })
    expect(await sent(when)).toBe(count)
  },
  240_000,
)

test('killed after the answer, the same request gets that answer', async () => {
  const first = await send('answered')
  expect(first).toMatchObject({ status: 201, replayed: null })
  await product.kill()
  await product.start()
  expect(await send('answered')).toEqual({ ...first, replayed: 'true' })
  expect(await sent('answered')).toBe(1)
}, 240_000)
