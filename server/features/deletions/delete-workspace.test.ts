/** A workspace from the typed name and the password to its end. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { askForExport, linkToExport, openExportFile } from '#server/features/exports/ask-export.ts'
import { runExports } from '#server/features/exports/run-exports.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { workspacesOf } from '#server/features/workspaces/workspaces.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aWorkspace, type Domain, type Workspace } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { moveDomain, previewMove } from '../moves/move-domain.ts'
import { deleteWorkspace } from './delete-workspace.ts'
import { endDueDeletions } from './end-deleted.ts'
import { previewWorkspace } from './preview-deletion.ts'
import { restoreDeleted } from './restore.ts'

const password = 'Engine-No-1!'

let app: TestApp
let who: Who
let domain: Domain
let workspace: Workspace
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  workspace = await app.db
    .updateTable('workspaces')
    .set({ name: 'Engines' })
    .where('id', '=', who.workspaceId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const passwordHash = await hashPassword(password, 'test')
  await app.db.updateTable('users').set({ passwordHash }).where('id', '=', who.userId).execute()
})

const remove = (form = {}, as = who, id = who.workspaceId) =>
  deleteWorkspace(app, as, id, { name: 'Engines', password, ...form })
const ends = async () => (await workspacesOf(app, who)).map(({ name, endsAt }) => [name, endsAt])
const rowOf = (id: string) =>
  app.db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
const filesOfExports = () => readdir(join(app.config.dataDir, 'exports'))
const countOf = async (table: 'domains' | 'mailboxes' | 'members' | 'invoices') =>
  (
    await app.db
      .selectFrom(table)
      .select('workspaceId')
      .where('workspaceId', '=', who.workspaceId)
      .execute()
  ).length

test('takes its name and the password of an Admin, and tells every Admin', async () => {
  await aMailbox(app, { domain })
  expect(await previewWorkspace(app, who, who.workspaceId)).toMatchObject({
    ...{ name: 'Engines', domains: 1, mailboxes: 1 },
  })
  await expect(remove({ name: 'Engine' })).rejects.toMatchObject({
    data: { name: 'This is not the name of the workspace' },
  })
  await expect(remove({ password: 'Engine-No-2!' })).rejects.toMatchObject({
    data: { password: 'The password is not right' },
  })
  const stranger = await aMember(app)
  await expect(remove({}, stranger)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  expect(await ends()).toEqual([['Engines', null]])
  const { endsAt, mailboxes } = await remove()
  expect(mailboxes).toBe(1)
  expect(await ends()).toEqual([['Engines', endsAt]])
  const [mail] = await listHeldMails(app)
  expect(mail?.subject).toBe('Your Mailstead workspace was deleted')
  expect(mail?.text).toContain('1 domain and 1 mailbox')
  expect(mail?.link).toBe('http://localhost:8080/dashboard/settings')
  await expect(remove()).rejects.toMatchObject({ type: 'WORKSPACE_DELETED' })
})

test('an Editor cannot delete it', async () => {
  const { userId } = await aMember(app)
  const { workspaceId } = who
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId, role: 'Editor', createdAt: app.clock.now() })
    .execute()
  const editor = { ...who, userId, role: 'Editor' as const }
  await expect(remove({}, editor)).rejects.toMatchObject({ type: 'FORBIDDEN' })
})

test('works on until its end, but pays for nothing and takes no domain in; taken back, it is as it was', async () => {
  const unpaid = await aMailbox(app, { domain, status: 'inactive' })
  const elsewhere = await aWorkspace(app)
  const { userId } = who
  await app.db
    .insertInto('members')
    .values({ workspaceId: elsewhere.id, userId, role: 'Admin', createdAt: app.clock.now() })
    .execute()
  const there = { ...who, workspaceId: elsewhere.id }
  const far = await anActiveDomain(app, there)
  await remove()
  await expect(payForMailboxes(app, who, [unpaid.id], null)).rejects.toMatchObject({
    type: 'WORKSPACE_DELETED',
  })
  expect((await previewMove(app, there, far.id)).workspaces).toEqual([])
  await expect(moveDomain(app, there, far.id, who.workspaceId)).rejects.toMatchObject({
    type: 'WORKSPACE_DELETED',
  })
  await expect(restoreDeleted(app, there, who.workspaceId)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  expect(await restoreDeleted(app, who, who.workspaceId)).toBe('Engines')
  expect(await rowOf(workspace.id)).toEqual(workspace)
  await payForMailboxes(app, who, [unpaid.id], null)
})

test('ends after fourteen days with everything in it; its invoices are kept', async () => {
  for (const isBilled of [true, false]) {
    if (!isBilled) {
      who = await aMember(app)
      await app.db
        .updateTable('workspaces')
        .set({ name: 'Engines' })
        .where('id', '=', who.workspaceId)
        .execute()
      domain = await anActiveDomain(app, who)
      const passwordHash = await hashPassword(password, 'test')
      await app.db.updateTable('users').set({ passwordHash }).where('id', '=', who.userId).execute()
    }
    const unpaid = await aMailbox(app, { domain, status: 'inactive' })
    if (isBilled) await payForMailboxes(app, who, [unpaid.id], null)
    await remove()
    app.clock.advance({ days: 13, hours: 23 })
    await endDueDeletions(app)
    expect(await countOf('mailboxes')).toBe(1)
    app.clock.advance({ hours: 1 })
    await expect(restoreDeleted(app, who, who.workspaceId)).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
    for (const _ of [1, 2]) await endDueDeletions(app)
    expect(await ends()).toEqual([])
    for (const table of ['domains', 'mailboxes', 'members'] as const)
      expect(await countOf(table)).toBe(0)
    expect(await countOf('invoices')).toBe(isBilled ? 1 : 0)
    expect((await rowOf(who.workspaceId))?.name).toBe(isBilled ? 'Engines' : undefined)
  }
})

test('its exports end with it, rows and files, whether invoices are kept or not', async () => {
  for (const isBilled of [true, false]) {
    const unpaid = await aMailbox(app, {
      domain,
      localPart: `unpaid-${isBilled}`,
      status: 'inactive',
    })
    if (isBilled) await payForMailboxes(app, who, [unpaid.id], null)
    const { _id } = await askForExport(app, who, { password })
    await runExports(app)
    const { token } = await linkToExport(app, who, _id)
    expect(await filesOfExports()).toContain(`${_id}.zip`)
    await app.db
      .updateTable('workspaces')
      .set({ endsAt: app.clock.now() })
      .where('id', '=', who.workspaceId)
      .execute()
    await endDueDeletions(app)
    await expect(openExportFile(app, token)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    expect(await filesOfExports()).not.toContain(`${_id}.zip`)
    who = await aMember(app)
    domain = await anActiveDomain(app, who)
    const passwordHash = await hashPassword(password, 'test')
    await app.db.updateTable('users').set({ passwordHash }).where('id', '=', who.userId).execute()
  }
})
