/** What hangs on something is of its workspace: the database refuses all else, and an upgrade brings home what was left behind (decision 140). */
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aWorkspace } from '#test-world/builders.ts'
import { up as check } from './migrations/0111-0120/0115-checked-references.ts'

let app: TestApp
let home: string
let other: string
let mailboxId: string
beforeAll(async () => {
  app = await anApp()
  other = (await aWorkspace(app, { name: 'Other' })).id
  const domain = await aDomain(app, { active: true })
  home = domain.workspaceId
  mailboxId = (await aMailbox(app, { domain })).id
})
afterAll(() => app.close())

const addContact = (workspaceId: string, address: string) =>
  sql`insert into contacts (mailbox_id, workspace_id, address, name, words, times, rank)
    values (${mailboxId}, ${workspaceId}, ${address}, '', '', 1, 0)`.execute(app.db)

const workspaceOf = async (address: string) => {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id as "workspaceId" from contacts where address = ${address}`.execute(app.db)
  return rows[0]?.workspaceId
}

describe('a row of a mailbox', () => {
  it('is refused in another workspace, and let into its own', async () => {
    await expect(addContact(other, 'a@b.example')).rejects.toThrow('contacts_mailbox_id_fkey')
    await addContact(home, 'a@b.example')
    expect(await workspaceOf('a@b.example')).toBe(home)
  })

  it('may wait with its workspace until the mailbox has moved, and no longer', async () => {
    await addContact(home, 'c@b.example')
    const moved = app.db.transaction().execute(async (tx) => {
      await sql`set constraints all deferred`.execute(tx)
      await sql`update contacts set workspace_id = ${other} where address = 'c@b.example'`.execute(
        tx,
      )
    })
    await expect(moved).rejects.toThrow('contacts_mailbox_id_fkey')
    expect(await workspaceOf('c@b.example')).toBe(home)
  })
})

describe('a row that an older program left in a former workspace', () => {
  /** As before the upgrade looked. */
  const leave = async (address: string) => {
    await sql`alter table contacts drop constraint contacts_mailbox_id_fkey`.execute(app.db)
    await addContact(other, address)
    await sql`alter table contacts add constraint contacts_mailbox_id_fkey foreign key (mailbox_id, workspace_id)
      references mailboxes (id, workspace_id) on delete cascade deferrable not valid`.execute(
      app.db,
    )
  }
  const upgrade = () =>
    app.db.transaction().execute((tx) => check(tx as unknown as Kysely<unknown>))
  const isChecked = async () => {
    const { rows } = await sql<{ is: boolean }>`
      select convalidated as is from pg_constraint where conname = 'contacts_mailbox_id_fkey'`.execute(
      app.db,
    )
    return rows[0]?.is
  }

  it('is brought home by an upgrade', async () => {
    await leave('left@b.example')
    await upgrade()
    expect(await workspaceOf('left@b.example')).toBe(home)
    expect(await isChecked()).toBe(true)
  })

  it('stops no upgrade that cannot bring it home, and lets no other follow', async () => {
    await leave('stays@b.example')
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      app.db,
    )
    await sql`create trigger refuse before update on contacts for each row execute function refuse()`.execute(
      app.db,
    )
    await upgrade()
    expect(await workspaceOf('stays@b.example')).toBe(other)
    expect(await isChecked()).toBe(false)
    await expect(addContact(other, 'next@b.example')).rejects.toThrow('contacts_mailbox_id_fkey')
  })
})
