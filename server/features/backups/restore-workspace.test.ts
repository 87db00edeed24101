/** One workspace comes back from a backup of all: whole where it ended, and no other is touched. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { recordChange, SYSTEM } from '#server/features/audit/record-change.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { endDueDeletions } from '#server/features/deletions/end-deleted.ts'
import { addAlias } from '#server/features/mailboxes/aliases.ts'
import { sweepBlobs } from '#server/features/messages/blobs/sweep-blobs.ts'
import { readFolderStates } from '#server/features/messages/by-uid/folder-states.ts'
import { listMessages } from '#server/features/messages/list-messages.ts'
import { createFolder } from '#server/features/messages/own-folders.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { moveDomain } from '#server/features/moves/move-domain.ts'
import { hashOf } from '#server/storage/blobs/blobs.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import { rememberOnce } from '#server/storage/installation.ts'
import { migratorOf } from '#server/storage/open-storage.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { anEmptyDatabase } from '#test-world/database.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { backUpByHand } from './make-backup.ts'
import { restoreWorkspaceFrom } from './read-backups.ts'

const SECRET = 'a secret for tests, forty characters long'

let app: TestApp
let folder: string
let who: Who
let domain: Domain
let ada: Mailbox
let other: Who
beforeAll(async () => {
  const key = Buffer.alloc(32, 7)
  app = await anApp({ config: { secret: SECRET, backup: { place: null, at: '03:00', key } } })
  await rememberOnce(app.db, 'id', randomUUID())
})
afterAll(() => app.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailstead-test-restore-'))
  app.clock.advance({ hours: 1 })
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  await letRead(app, ada, who.userId)
  await addAlias(app, who, ada.id, { email: `hello@${domain.name}` })
  await createFolder(app, who, ada.id, 'Letters')
  for (const subject of ['One', 'Tabs\tand \\ line ends', 'Three']) await receive(ada, subject)
  const unpaid = await aMailbox(app, { domain, localPart: 'unpaid', status: 'inactive' })
  await payForMailboxes(app, who, [unpaid.id], null)
  other = await aMember(app)
  const theirs = await aMailbox(app, { domain: await anActiveDomain(app, other) })
  await receive(theirs, 'Of another')
  return () => rm(folder, { recursive: true })
})

const receive = (mailbox: Mailbox, subject: string) =>
  receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(letterText({ subject, body: `Hello \u{1f600} ${randomUUID()}` })),
      mailFrom: 'eve@example.net',
      authentication: null,
    },
    [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
  )
const restore = (wanted = who.workspaceId) =>
  restoreWorkspaceFrom(app, 'terminal', folder, { wanted, id: undefined })

/** Every row of a workspace in every table, but for what is new in each life of it. */
const rowsOf = async (workspaceId: string): Promise<Record<string, string[]>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name::text as name from information_schema.columns where table_schema = 'public'
    and (column_name = 'workspace_id' and table_name not in ('operator_actions', 'access_entries', 'payments', 'audit_log') or table_name = 'workspaces' and column_name = 'id')`.execute(
    app.db,
  )
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const column = sql.ref(name === 'workspaces' ? 'id' : 'workspace_id')
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - 'uid_validity')::text as row from ${sql.table(name)} t where ${column} = ${workspaceId}`.execute(
      app.db,
    )
    all[name] = rows
      .map(({ row }) => row.replace(/"blob": "[^"]*([0-9a-f]{64})"/, '"blob": "$1"'))
      .toSorted()
  }
  return all
}
/** Subjects, and that the bytes of each are those of its name. */
const mailOf = async (mailbox: Mailbox) => {
  const { items } = await listMessages(app, who, mailbox.id, { limit: 50, folder: 'inbox' })
  const rows = await app.db
    .selectFrom('messages')
    .select('blob')
    .where('mailboxId', '=', mailbox.id)
    .execute()
  const whole = await Promise.all(
    rows.map(async ({ blob }) => hashOf(await app.blobs.get(blob)) === hashIn(blob)),
  )
  expect(whole).not.toContain(false)
  return items.map(({ subject }) => subject).toSorted()
}
const erase = async (workspaceId: string) => {
  await app.db
    .updateTable('workspaces')
    .set({ endsAt: app.clock.now() })
    .where('id', '=', workspaceId)
    .execute()
  for (const _ of [1, 2]) await endDueDeletions(app)
  // Files have the time of the system.
  app.clock.set(new Date(Date.now() + 3 * 86_400_000))
  await sweepBlobs(app)
}

it('comes back row by row and byte by byte after it was erased, and others are not touched', async () => {
  const made = { topic: 'members', what: 'Join the workspace', object: 'ada@x.example' } as const
  const joined = { ...made, workspaceId: who.workspaceId, action: 'joinWorkspace' }
  await recordChange(app.db, app.clock.now(), SYSTEM, joined)
  const before = await rowsOf(who.workspaceId)
  expect(before.messages).toHaveLength(3)
  expect(before.invoices).toHaveLength(1)
  const validity = (await readFolderStates(app, who, ada.id)).map(({ uidValidity }) => uidValidity)
  await backUpByHand(app, folder)
  await erase(who.workspaceId)
  expect((await rowsOf(who.workspaceId)).messages).toEqual([])
  const others = await rowsOf(other.workspaceId)
  expect(await restore()).toMatch(
    /has back from backup \S+: 1 domains, 2 mailboxes and 3 messages\.\nIts people sign in as before\.$/,
  )
  expect(await rowsOf(who.workspaceId)).toEqual(before)
  expect(await rowsOf(other.workspaceId)).toEqual(others)
  const lines = await app.db
    .selectFrom('auditLog')
    .select('action')
    .where('workspaceId', '=', who.workspaceId)
    .orderBy('at')
    .execute()
  expect(lines.map(({ action }) => action)).toEqual(['joinWorkspace', 'workspace restore'])
  expect(await mailOf(ada)).toEqual(['One', 'Tabs and \\ line ends', 'Three'].toSorted())
  const now = (await readFolderStates(app, who, ada.id)).map(({ uidValidity }) => uidValidity)
  expect(now.some((each) => validity.includes(each))).toBe(false)
  await receive(ada, 'After')
  expect(await mailOf(ada)).toContain('After')
  // Nothing of the restore stays behind.
  const { rows } = await sql`select 1 from pg_namespace where nspname like 'restoring%'`.execute(
    app.db,
  )
  expect(rows).toEqual([])
  expect(await restore()).toMatch(/^Nothing of backup \S+ is missing in /)
})

it('names a domain and an address that others have by now, and brings the rest', async () => {
  const second = await anActiveDomain(app, who)
  const bob = await aMailbox(app, { domain: second, localPart: 'bob' })
  await letRead(app, bob, who.userId)
  await receive(bob, 'Of Bob')
  await backUpByHand(app, folder)
  await erase(who.workspaceId)
  await aDomain(app, { workspaceId: other.workspaceId, active: true, name: domain.name })
  const said = await restore()
  expect(said).toContain('1 domains, 1 mailboxes and 1 messages')
  expect(said.split('\n').slice(-4)).toEqual([
    'Left out:',
    `  the mailbox ada@${domain.name}: its domain is not here`,
    `  the mailbox unpaid@${domain.name}: its domain is not here`,
    `  the domain ${domain.name}: another workspace holds it now`,
  ])
  expect(await mailOf(bob)).toEqual(['Of Bob'])
  const held = await app.db
    .selectFrom('domains')
    .select('workspaceId')
    .where('name', '=', domain.name)
    .execute()
  expect(held).toEqual([{ workspaceId: other.workspaceId }])
  const action = await app.db
    .selectFrom('operatorActions')
    .selectAll()
    .where('workspaceId', '=', who.workspaceId)
    .where('verb', '=', 'workspace restore')
    .executeTakeFirstOrThrow()
  expect(action.detail).toMatch(/^1 domains, 1 mailboxes, 1 messages from .*; 3 left out$/)
})

it('of a workspace that lives on, only what ended comes back: neither a deleted mail nor who left', async () => {
  const second = await anActiveDomain(app, who)
  const bob = await aMailbox(app, { domain: second, localPart: 'bob' })
  await letRead(app, bob, who.userId)
  await receive(bob, 'Of Bob')
  const leaver = await aUser(app)
  await app.db
    .insertInto('members')
    .values({
      ...{ workspaceId: who.workspaceId, userId: leaver.id, role: 'Editor' },
      createdAt: app.clock.now(),
    })
    .execute()
  await letRead(app, bob, leaver.id)
  await backUpByHand(app, folder)
  await app.db.deleteFrom('domains').where('id', '=', second.id).execute()
  await app.db.deleteFrom('messages').where('mailboxId', '=', ada.id).execute()
  await app.db.deleteFrom('members').where('userId', '=', leaver.id).execute()
  const kept = await rowsOf(who.workspaceId)
  expect(await restore()).toMatch(/: 1 domains, 1 mailboxes and 1 messages\.$/)
  expect(await mailOf(bob)).toEqual(['Of Bob'])
  expect(await mailOf(ada)).toEqual([])
  const now = await rowsOf(who.workspaceId)
  expect(now.members).toEqual(kept.members)
  const readers = app.db
    .selectFrom('mailboxReaders')
    .select('userId')
    .where('mailboxId', '=', bob.id)
  expect(await readers.execute()).toEqual([{ userId: who.userId }])
})

it('of a workspace that lives on, neither a holder that was ended, nor their rights, nor a link comes back', async () => {
  const second = await anActiveDomain(app, who)
  const bob = await aMailbox(app, { domain: second, localPart: 'bob' })
  const holder = await aUser(app)
  await app.db.updateTable('users').set({ mailboxId: ada.id }).where('id', '=', holder.id).execute()
  await letRead(app, ada, holder.id, 'holder')
  await letRead(app, bob, holder.id, 'given')
  const [createdAt, expiresAt] = [app.clock.now(), new Date(app.clock.now().getTime() + 86_400_000)]
  await app.db
    .insertInto('accessLinks')
    .values({
      ...{ tokenHash: randomBytes(32), workspaceId: who.workspaceId, mailboxId: bob.id },
      ...{ mailedTo: null, madeBy: who.userId, createdAt, expiresAt, endedAt: null, outcome: null },
    })
    .execute()
  await backUpByHand(app, folder)
  await app.db.deleteFrom('domains').where('id', '=', second.id).execute()
  await app.db.deleteFrom('users').where('id', '=', holder.id).execute()
  await restore()
  const { db } = app
  const back = await Promise.all([
    db.selectFrom('users').select('id').where('id', '=', holder.id).execute(),
    db.selectFrom('mailboxReaders').select('userId').where('mailboxId', '=', bob.id).execute(),
    db.selectFrom('accessLinks').select('mailboxId').where('mailboxId', '=', bob.id).execute(),
    db.selectFrom('mailboxes').select('email').where('id', '=', bob.id).execute(),
  ])
  expect(back).toEqual([[], [], [], [{ email: bob.email }]])
})

it('of a backup that was made in the wait, nothing is erased again', async () => {
  const endsAt = new Date(app.clock.now().getTime() + 86_400_000)
  const deleted = { endsAt, deletedBy: 'Ada' }
  const { db } = app
  const { workspaceId } = who
  await db.updateTable('workspaces').set(deleted).where('id', '=', workspaceId).execute()
  await db.updateTable('domains').set(deleted).where('id', '=', domain.id).execute()
  await db
    .updateTable('mailboxes')
    .set({ ...deleted, isDeletedWithDomain: true })
    .where('id', '=', ada.id)
    .execute()
  await backUpByHand(app, folder)
  await erase(workspaceId)
  await restore()
  await endDueDeletions(app)
  expect(await mailOf(ada)).toHaveLength(3)
  const marks = await Promise.all([
    db.selectFrom('workspaces').select('endsAt').where('id', '=', workspaceId).execute(),
    db.selectFrom('domains').select('endsAt').where('workspaceId', '=', workspaceId).execute(),
    db.selectFrom('mailboxes').select('endsAt').where('id', '=', ada.id).execute(),
    db
      .selectFrom('mailboxes')
      .select('endsAt')
      .where('id', '=', ada.id)
      .where('isDeletedWithDomain', '=', false)
      .execute(),
  ])
  expect(marks).toEqual(Array.from(marks, () => [{ endsAt: null }]))
})

it('gives nothing to the mailboxes of a domain that another workspace has by now', async () => {
  const grace = await aUser(app)
  const { id: to } = await aWorkspace(app)
  const createdAt = app.clock.now()
  await app.db
    .insertInto('members')
    .values([
      { workspaceId: who.workspaceId, userId: grace.id, role: 'Editor', createdAt },
      { workspaceId: to, userId: who.userId, role: 'Admin', createdAt },
    ])
    .execute()
  await letRead(app, ada, grace.id, 'given')
  // Of a mailbox that is gone: the entry goes with the domain of its address.
  const entry = {
    id: randomUUID(),
    workspaceId: who.workspaceId,
    mailboxEmail: `gone@${domain.name}`,
  }
  await app.db
    .insertInto('accessEntries')
    .values({
      ...{ ...entry, mailboxId: null, at: createdAt, kind: 'given', subject: '' },
      ...{ actor: 'Ada', reason: '' },
    })
    .execute()
  await backUpByHand(app, folder)
  await moveDomain(app, who, domain.id, to)
  await app.db.deleteFrom('messages').where('mailboxId', '=', ada.id).execute()
  await app.db.deleteFrom('aliases').where('mailboxId', '=', ada.id).execute()
  await app.db.deleteFrom('mailboxReaders').where('userId', '=', grace.id).execute()
  const theirs = await rowsOf(to)
  await erase(who.workspaceId)
  const said = await restore()
  expect(said).toContain('0 domains, 0 mailboxes and 0 messages')
  expect(said.split('\n').slice(-4)).toEqual([
    'Left out:',
    `  the domain ${domain.name}: it is in another workspace now`,
    `  the mailbox ada@${domain.name}: it is in another workspace now`,
    `  the mailbox unpaid@${domain.name}: it is in another workspace now`,
  ])
  expect(await rowsOf(to)).toEqual(theirs)
  const entries = app.db.selectFrom('accessEntries').select('workspaceId')
  expect(await entries.where('id', '=', entry.id).execute()).toEqual([{ workspaceId: to }])
})

it('of a backup by an older version is brought to the present one on the way', async () => {
  const old = await anEmptyDatabase()
  const { error } = await migratorOf(old.db).migrateTo('0070-alerts')
  expect(error).toBe(undefined)
  const world = { db: old.db, clock: app.clock }
  const user = await aUser(world)
  const workspace = await aWorkspace(world, { name: 'Old', members: [{ user, role: 'Admin' }] })
  const oldDomain = await aDomain(world, { workspaceId: workspace.id, active: true })
  const box = await aMailbox(world, { domain: oldDomain })
  const alias = { workspaceId: workspace.id, mailboxId: box.id, domainId: oldDomain.id }
  const email = `alias@${oldDomain.name}`
  await old.db
    .insertInto('aliases')
    .values({ ...alias, id: randomUUID(), email, createdAt: app.clock.now() })
    .execute()
  await rememberOnce(old.db, 'id', randomUUID())
  await backUpByHand({ ...app, db: old.db, connection: old.connection }, folder)
  expect(await restore('Old')).toMatch(/^Old has back .*: 1 domains, 1 mailboxes and 0 messages\./)
  const back = app.db.selectFrom('mailboxes').select('email').where('id', '=', box.id)
  expect(await back.execute()).toEqual([{ email: box.email }])
  const addresses = app.db.selectFrom('addresses').select(['email', 'mailboxId'])
  const known = await addresses.where('workspaceId', '=', workspace.id).orderBy('email').execute()
  expect(known).toEqual(
    [
      { email, mailboxId: null },
      { email: box.email, mailboxId: box.id },
    ].toSorted((a, b) => (a.email < b.email ? -1 : 1)),
  )
  const aliases = app.db.selectFrom('aliases').select('email').where('mailboxId', '=', box.id)
  expect(await aliases.execute()).toEqual([{ email }])
  const { rows } = await sql`select 1 from pg_database where datname like 'restoring%'`.execute(
    app.db,
  )
  expect(rows).toEqual([])
  await old.drop()
})

it('says when the backup is damaged, and leaves nothing behind', async () => {
  await backUpByHand(app, folder)
  const [id = ''] = await readdir(join(folder, 'snapshots'))
  await writeFile(join(folder, 'snapshots', id, 'domains-0'), 'damaged')
  await expect(restore()).rejects.toThrow('domains-0')
  const { rows } = await sql`select 1 from pg_namespace where nspname like 'restoring%'`.execute(
    app.db,
  )
  expect(rows).toEqual([])
})

it('says when the backup has no such workspace', async () => {
  await backUpByHand(app, folder)
  await expect(restore('Nowhere')).rejects.toThrow('The backup has no workspace Nowhere.')
  expect(await restore()).toMatch(/^Nothing of backup/)
})
