import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, letRead } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { changeRole, leaveWorkspace, listMembers, removeMember } from '../members/change-members.ts'
import { createWorkspace, renameWorkspace, switchWorkspace, workspacesOf } from './workspaces.ts'

let app: TestApp
let who: Who
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
})

const named = () => ({ ...who, user: { name: 'Ada Lovelace', email: 'ada@example.org' } })

const aColleague = async (role: Role): Promise<Who> => {
  const user = await aUser(app, { firstName: 'Mary' })
  await app.db
    .insertInto('members')
    .values({ workspaceId: who.workspaceId, userId: user.id, role, createdAt: app.clock.now() })
    .execute()
  return { ...who, userId: user.id, role }
}

test('a new workspace is the current one, with its maker as Admin; switching goes back', async () => {
  app.clock.advance({ seconds: 1 })
  const made = await createWorkspace(app, named(), { name: 'Second' })
  expect(made).toMatchObject({ name: 'Second', role: 'Admin', isCurrent: true })
  const row = await app.db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', made._id)
    .executeTakeFirstOrThrow()
  expect(row.storageQuotaBytes).toBe(75_000_000_000)
  const current = async () =>
    (
      await app.db
        .selectFrom('users')
        .select('currentWorkspaceId')
        .where('id', '=', who.userId)
        .executeTakeFirstOrThrow()
    ).currentWorkspaceId
  expect(await current()).toBe(made._id)
  expect(await switchWorkspace(app, who, who.workspaceId)).toMatchObject({ isCurrent: true })
  expect(await current()).toBe(who.workspaceId)
  expect(await workspacesOf(app, { ...who, workspaceId: made._id })).toMatchObject([
    { _id: who.workspaceId, isCurrent: false },
    { _id: made._id, isCurrent: true },
  ])
})

test('twenty workspaces a day, not more', async () => {
  for (let n = 0; n < 20; n += 1) await createWorkspace(app, named(), { name: `W${n}` })
  await expect(createWorkspace(app, named(), { name: 'W' })).rejects.toMatchObject({
    type: 'TOO_MANY_REQUESTS',
  })
})

test('renaming and switching need a workspace of one’s own, renaming an Admin', async () => {
  const stranger = await aMember(app)
  for (const id of [stranger.workspaceId, newId(), 'x']) {
    await expect(switchWorkspace(app, who, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    await expect(renameWorkspace(app, who, id, { name: 'Mine' })).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
  }
  const editor = await aColleague('Editor')
  const renamed = renameWorkspace(app, editor, who.workspaceId, { name: 'Mine' })
  await expect(renamed).rejects.toMatchObject({ type: 'FORBIDDEN' })
  expect(await renameWorkspace(app, who, who.workspaceId, { name: 'Ours' })).toMatchObject({
    name: 'Ours',
    isCurrent: true,
  })
  expect((await workspacesOf(app, editor))[0]).toMatchObject({ name: 'Ours', role: 'Editor' })
})

test('members are listed by name with role and last login', async () => {
  const colleague = await aColleague('User')
  const at = app.clock.now()
  await app.db
    .updateTable('users')
    .set({ lastLoginAt: at })
    .where('id', '=', colleague.userId)
    .execute()
  expect(await listMembers(app, who)).toMatchObject([
    { _id: who.userId, name: 'Ada Lovelace', role: 'Admin', lastLoginAt: null, isYou: true },
    { name: 'Mary Lovelace', role: 'User', lastLoginAt: at.toISOString(), isYou: false },
  ])
})

test('the last Admin stays Admin, and stays', async () => {
  const refusal = { type: 'LAST_ADMIN', message: 'A workspace keeps at least one Admin' }
  await expect(changeRole(app, who, who.userId, 'User')).rejects.toMatchObject(refusal)
  await expect(removeMember(app, who, who.userId)).rejects.toMatchObject(refusal)
  const colleague = await aColleague('Editor')
  expect(await changeRole(app, who, colleague.userId, 'Admin')).toMatchObject({ role: 'Admin' })
  expect(await changeRole(app, who, who.userId, 'Editor')).toMatchObject({ role: 'Editor' })
  // No longer allowed, although this request began as an Admin's.
  await expect(changeRole(app, who, colleague.userId, 'User')).rejects.toMatchObject({
    type: 'FORBIDDEN',
  })
})

test('a member of any role leaves by themselves, with what they could read; a stranger cannot', async () => {
  const { workspaceId } = who
  const colleague = await aColleague('User')
  const domain = await aDomain(app, { workspaceId, active: true })
  const mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, colleague.userId)
  await switchWorkspace(app, colleague, workspaceId)
  const stranger = await aMember(app)
  for (const id of [workspaceId, newId(), 'x'])
    await expect(leaveWorkspace(app, stranger, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  // In the session of another workspace, too.
  await leaveWorkspace(app, { ...colleague, workspaceId: stranger.workspaceId }, workspaceId)
  expect(await workspacesOf(app, colleague)).toEqual([])
  expect((await listMembers(app, who)).map(({ _id }) => _id)).toEqual([who.userId])
  const readers = await app.db
    .selectFrom('mailboxReaders')
    .select('userId')
    .where('mailboxId', '=', mailbox.id)
    .execute()
  expect(readers).toEqual([])
  await expect(leaveWorkspace(app, who, workspaceId)).rejects.toMatchObject({ type: 'LAST_ADMIN' })
})

test('two Admins who leave at once: one of them stays', async () => {
  const other = await aColleague('Admin')
  const outcomes = await Promise.allSettled(
    [who, other].map((each) => leaveWorkspace(app, each, who.workspaceId)),
  )
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('two Admins who remove each other at once: one of them stays', async () => {
  const other = await aColleague('Admin')
  const outcomes = await Promise.allSettled([
    removeMember(app, who, other.userId),
    removeMember(app, other, who.userId),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await listMembers(app, who)).toHaveLength(1)
})

test('whoever is removed reads no more mail, and is somewhere else at the next request', async () => {
  const colleague = await aColleague('User')
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const mailbox = await aMailbox(app, { domain })
  for (const userId of [colleague.userId, who.userId]) await letRead(app, mailbox, userId)
  await switchWorkspace(app, colleague, who.workspaceId)
  await removeMember(app, who, colleague.userId)
  const readers = await app.db
    .selectFrom('mailboxReaders')
    .select('userId')
    .where('mailboxId', '=', mailbox.id)
    .execute()
  expect(readers).toEqual([{ userId: who.userId }])
  expect(await workspacesOf(app, colleague)).toEqual([])
  await expect(removeMember(app, who, colleague.userId)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
})

test('members of other workspaces cannot be changed', async () => {
  const stranger = await aMember(app)
  for (const id of [stranger.userId, newId(), 'x']) {
    await expect(changeRole(app, who, id, 'User')).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    await expect(removeMember(app, who, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  }
  expect(await listMembers(app, stranger)).toHaveLength(1)
})
