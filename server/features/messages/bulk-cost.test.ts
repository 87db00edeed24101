import { readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tables } from '#server/storage/tables.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aLetter } from '#test-world/mail/letter.ts'
import { aMailReader } from '#test-world/members.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

/** A mailbox with this many conversations of one message. */
const aMailboxOf = async (count: number): Promise<string> => {
  const { mailbox } = await aMailReader(app)
  await aLetter(app, mailbox, { subject: 'First' })
  await sql`
    insert into messages
    select (jsonb_populate_record(m, jsonb_build_object('id', ids.id, 'thread_id', ids.id, 'uid', 10 + n,
      'message_id', n::text, 'date', m.date - n * interval '7 minutes'))).*
    from messages m, generate_series(2, ${count}::int) n, lateral (select gen_random_uuid() as id, n as place) ids
    where m.mailbox_id = ${mailbox.id}`.execute(app.db)
  return mailbox.id
}

const mark = (on: Kysely<Tables>, mailboxId: string) =>
  sql`update messages set is_starred = not is_starred where mailbox_id = ${mailboxId}`.execute(on)

/** Ticks of the processor that this backend of PostgreSQL has used. */
const ticksOf = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return Number(fields[11]) + Number(fields[12])
}

test.runIf(process.platform === 'linux')(
  'a change of four times as many messages costs about four times as much, after a change of one',
  async () => {
    const [one, few, many] = [await aMailboxOf(1), await aMailboxOf(1_000), await aMailboxOf(4_000)]
    await sql`analyze`.execute(app.db)
    const [forFew, forMany] = await app.db.connection().execute(async (on) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)
      const pid = rows[0]?.pid ?? 0
      await sql`discard plans`.execute(on)
      await mark(on, one)
      const costs: number[] = []
      for (const mailboxId of [few, many]) {
        const before = await ticksOf(pid)
        await mark(on, mailboxId)
        costs.push((await ticksOf(pid)) - before)
      }
      return costs
    })
    expect(forFew).toBeGreaterThan(0)
    expect((forMany ?? 0) / (forFew ?? 1)).toBeLessThan(9)
    const starred = await sql`
      select from conversations where mailbox_id = ${many} and starred = 1 and messages = 1`.execute(
      app.db,
    )
    expect(starred.rows).toHaveLength(4_000)
  },
)
