/** An upgrade that is not finished yet, and what is unique in the whole installation before and after (decision 141). */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertMailboxes } from '#server/features/mailboxes/new-mailboxes-store.ts'
import { writeUse } from '#server/features/programs/program-uses-store.ts'
import { insertOperatorStop } from '#server/features/sending/stops/stops-store.ts'
import { newId } from '#server/lib/ids.ts'
import type { Database } from '#server/storage/database.ts'
import { waitingIn } from '#server/storage/migrate.ts'
import { schema } from '#server/storage/open-storage.ts'
import { withConnection } from '#server/storage/own-connection.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  anInvoice,
  aUser,
  aWorkspace,
  type Domain,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { anUpgradedDatabase, type TestDatabase } from '#test-world/database.ts'
import { finishUpgrade } from './finish-upgrade.ts'

let database: TestDatabase
let app: TestApp
/** From before the upgrade. */
let domain: Domain
let mailbox: Mailbox
beforeAll(async () => {
  const clock = { now: () => new Date('2026-11-01') }
  const fill = async (db: Database) => {
    const world = { db, clock } as unknown as TestApp
    domain = await aDomain(world, { active: true, name: 'before.example' })
    mailbox = await aMailbox(world, { domain, localPart: 'ada' })
    await addAlias(db, 'first@before.example')
    await aDomain(world, { name: 'not-proven.example' })
    await anInvoice(world, { workspaceId: domain.workspaceId, series: 'BEFORE', number: 7 })
  }
  database = await anUpgradedDatabase(fill)
  app = await anApp({ database })
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const addAlias = (db: Database, email: string, { id, workspaceId, domainId } = mailbox) =>
  db
    .insertInto('aliases')
    .values({ id: newId(), workspaceId, domainId, mailboxId: id, email, createdAt: new Date() })
    .execute()

const refused = (change: Promise<unknown>) =>
  change.then(
    () => 'taken',
    (error: { constraint?: string }) => error.constraint,
  )

const addresses = async (of: string) => {
  const { rows } = await sql<{ email: string }>`
    select email from addresses where email like ${`%${of}`} order by email`.execute(app.db)
  return rows.map(({ email }) => email)
}

const keysWithout = async () => {
  const { rows } = await sql<{ key: string }>`
    select c.conname::text as key from pg_constraint c where c.contype in ('p', 'u')
      and c.conrelid = any('{mailboxes,aliases,contacts,drafts,folders}'::regclass[])
      and pg_get_constraintdef(c.oid) !~ 'workspace_id' order by 1`.execute(app.db)
  return rows.map(({ key }) => key)
}

/** What programs of both states do, with the rows that each test needs. */
const works = () => {
  let other: Mailbox
  beforeEach(async () => {
    other = await aMailbox(app)
  })

  it('lets no two have one address, in whichever workspace', async () => {
    const { email } = mailbox
    const taken = ['mailboxes_email_key', 'aliases_email_key', 'addresses_pkey']
    const domain = await aDomain(app, { active: true })
    expect(taken).toContain(await refused(aMailbox(app, { domain, email })))
    expect(taken).toContain(await refused(addAlias(app.db, 'first@before.example', other)))
    expect(taken).toContain(await refused(addAlias(app.db, email, other)))
    const renamed = app.db.updateTable('mailboxes').set({ email }).where('id', '=', other.id)
    expect(taken).toContain(await refused(renamed.execute()))
  })

  it('makes no mailbox whose address the workspace has', async () => {
    const reader = await aUser(app)
    const { createdAt, email, firstName, lastName, status, workspaceId, domainId } = mailbox
    const again = { createdAt, email, firstName, lastName, status, workspaceId, domainId }
    expect(await insertMailboxes(app.db, reader.id, [{ ...again, id: newId() }])).toEqual([])
  })

  it('lets an address be taken once more when its mailbox or alias has gone', async () => {
    await addAlias(app.db, `a-${other.email}`, other)
    const own = other.email.split('@')[1] ?? ''
    expect(await addresses(own)).toEqual([`a-${other.email}`, other.email].toSorted())
    await app.db.deleteFrom('mailboxes').where('id', '=', other.id).execute()
    expect(await addresses(own)).toEqual([])
  })

  it('deletes people who only read a mailbox with it, and the counts of its folders', async () => {
    const holder = await aUser(app, { mailboxId: other.id })
    await sql`insert into folder_days select id, now(), 1 from folders where mailbox_id = ${other.id}`.execute(
      app.db,
    )
    await app.db.deleteFrom('mailboxes').where('id', '=', other.id).execute()
    const { rows } = await sql`select from users where id = ${holder.id}
      union all select from folder_days where not exists (select from folders where id = folder_id)`.execute(
      app.db,
    )
    expect(rows).toEqual([])
  })

  it('lets one workspace have proven a name', async () => {
    const theirs = await aDomain(app, { name: domain.name })
    const proven = app.db.updateTable('domains').set({ isVerified: true })
    expect(['domains_holder', 'verified_domains_pkey']).toContain(
      await refused(proven.where('id', '=', theirs.id).execute()),
    )
    const free = await aDomain(app, { name: 'not-proven.example' })
    await proven.where('id', '=', free.id).execute()
    await app.db.deleteFrom('domains').where('id', 'in', [free.id, theirs.id]).execute()
    const { rows } = await sql`select name from verified_domains where name = ${free.name}`.execute(
      app.db,
    )
    expect(rows).toEqual([])
  })

  it('gives a number of an invoice once, to whichever workspace', async () => {
    const { id: workspaceId } = await aWorkspace(app)
    const invoice = (number: number) =>
      refused(anInvoice(app, { workspaceId, series: 'BEFORE', number }))
    expect(['invoices_number', 'invoice_numbers_pkey']).toContain(await invoice(7))
  })

  it('stops a mailbox once, and knows the networks of a program', async () => {
    const { workspaceId, id: mailboxId } = other
    const stop = (operatorReason: string) =>
      insertOperatorStop(app.db, {
        ...{ id: newId(), workspaceId, mailboxId, stoppedAt: app.clock.now(), operatorReason },
        ...{ failed: 0, ended: 0, example: '' },
      })
    await stop('spam')
    await stop('more spam')
    const { rows } = await sql`select operator_reason as reason from sending_stops
      where mailbox_id = ${mailboxId}`.execute(app.db)
    expect(rows).toEqual([{ reason: 'more spam' }])
    const { id: userId } = await aUser(app)
    await letRead(app, other, userId)
    const use = { workspaceId, mailboxId, userId, appPasswordId: null, network: '192.0.2.0/24' }
    const used = (ip: string) =>
      writeUse(app.db, { ...use, ip, scope: 'imap' as const }, app.clock.now())
    const each = await Promise.all(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(used))
    expect(each.filter((isNew) => isNew)).toHaveLength(1)
    expect(await used('192.0.2.4')).toBe(false)
  })
}

describe('before it is finished', () => {
  works()

  it('has the keys of before, and all addresses, names and numbers of before in their tables', async () => {
    expect(await keysWithout()).toContain('mailboxes_email_key')
    expect(await addresses('before.example')).toEqual([mailbox.email, 'first@before.example'])
    const { rows } = await sql`select name from verified_domains where name = ${domain.name}
      union all select name from verified_domains where name = 'not-proven.example'
      union all select series from invoice_numbers where number = 7`.execute(app.db)
    expect(rows).toEqual([{ name: domain.name }, { name: 'BEFORE' }])
  })

  it('is refused while a program of another release runs', async () => {
    const finished = withConnection(app.connection, 'mailstead listener', async (older) => {
      await older.query('select')
      return finishUpgrade(app, () => {})
    })
    await expect(finished).rejects.toThrow('A program of another version still runs.')
    expect(await waitingIn(app.db, schema)).not.toEqual([])
  })
})

describe('when it is finished', () => {
  beforeAll(async () => {
    const waited = await waitingIn(app.db, schema)
    expect(await finishUpgrade(app, () => {}, 0)).toEqual(waited)
  })
  works()

  it('has the workspace in each key', async () => {
    expect(await keysWithout()).toEqual([])
    expect(await finishUpgrade(app, () => {})).toEqual([])
  })
})
