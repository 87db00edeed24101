/** A whole workspace or account goes: the question names what goes, the name is typed, and a receipt stays. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endDueDeletions } from '#server/features/deletions/end-deleted.ts'
import { mailReceipts } from '#server/features/operating/mail-receipts.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, anInvoice, aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { readZip } from '#test-world/read-zip.ts'
import { leavingVerbs } from './leaving-verbs.ts'
import type { TerminalApp } from './verb.ts'

let app: TestApp
let ada: User
let workspaceId: string
/** What was asked, and what is typed then; null: nobody is there. */
let asked: string[]
let answer: string | null
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
let n = 0
beforeEach(async () => {
  n++
  asked = []
  answer = null
  ada = await aUser(app, { email: `ada-${n}@elsewhere.example` })
  const members = [{ user: ada, role: 'Admin' as const }]
  ;({ id: workspaceId } = await aWorkspace(app, { name: `Engines ${n}`, members }))
  const domain = await aDomain(app, { workspaceId, active: true })
  await aMailbox(app, { domain, usedBytes: 1_500_000 })
  await anInvoice(app, { workspaceId })
})

const run = async (verb: string, ...words: string[]): Promise<string> => {
  const ask = async (question: string) => {
    asked.push(question)
    return answer ?? ''
  }
  const world: TerminalApp = { ...app, ask: answer === null ? null : ask }
  return String(await leavingVerbs[verb]?.run(world, ...words))
}
const row = (id = workspaceId) =>
  app.db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
const receipts = async (subject: string) =>
  (await listHeldMails(app)).filter((mail) => mail.subject === subject)
const DELETED = 'Your Mailstead workspace was deleted by the operator'

test('a workspace: nobody to ask changes nothing, a wrong name neither, and the question names what goes', async () => {
  const name = `Engines ${n}`
  const question = `This deletes ${name}: 1 domain, 1 mailbox, 0 messages (1.5 MB), 1 open invoice.`
  await expect(run('workspace delete', name)).rejects.toThrow(
    `Nothing was changed. To do it, add --yes '${name}'.`,
  )
  await expect(run('workspace delete', name, '--yes', 'Engine')).rejects.toThrow('does not name it')
  answer = 'yes'
  await expect(run('workspace delete', name)).rejects.toThrow('Nothing was changed')
  expect(asked[0]).toContain(question)
  expect(asked[0]).toMatch(/It ends on \d{4}-\d\d-\d\d \d\d:\d\d UTC\..*after that nobody can/)
  expect((await row())?.endsAt).toBe(null)
  answer = name
  expect(await run('workspace delete', name)).toMatch(
    /with 1 domain, 1 mailbox, 0 messages \(1\.5 MB\)\.[\s\S]*1 open invoice stays due\.\nReceipt [\w-]{36}, .*, mailed to 1 Admins\./,
  )
  expect((await row())?.endsAt).toEqual(new Date(app.clock.now().getTime() + 14 * 86_400_000))
  await mailReceipts(app)
  await mailReceipts(app)
  const mails = await receipts(DELETED)
  expect(mails.filter(({ to }) => to === ada.email)).toHaveLength(1)
  const action = await app.db
    .selectFrom('operatorActions')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow()
  expect(action).toMatchObject({ operator: 'terminal', verb: 'workspace delete', subject: name })
  expect(action.detail).toMatch(/^1 domain, 1 mailbox, .* 1 open invoice; ends \d/)
  expect(mails.find(({ to }) => to === ada.email)?.text).toContain(action.id)
})

test('a workspace that waits for its end is erased at once by --now, and keeps its invoices', async () => {
  const name = `Engines ${n}`
  await run('workspace delete', name, '--yes', name)
  await expect(run('workspace delete', name, '--yes', name)).rejects.toThrow(
    'To erase it at once, add --now.',
  )
  expect(await run('workspace delete', name, '--now', '--yes', name)).toMatch(
    /erased at once[\s\S]*within a minute/,
  )
  await endDueDeletions(app)
  expect((await row())?.endedAt).toEqual(app.clock.now())
  const mailboxes = app.db
    .selectFrom('mailboxes')
    .select('id')
    .where('workspaceId', '=', workspaceId)
  expect(await mailboxes.execute()).toEqual([])
  expect(
    await app.db
      .selectFrom('invoices')
      .select('status')
      .where('workspaceId', '=', workspaceId)
      .execute(),
  ).toEqual([{ status: 'Due' }])
  expect(app.logged('right-changed')).toContainEqual(
    expect.objectContaining({ what: 'workspace', objectId: workspaceId, change: 'ended' }),
  )
  await mailReceipts(app)
  expect((await receipts(DELETED)).filter(({ to }) => to === ada.email)).toHaveLength(2)
})

test('the last Admin of a workspace is named with what to do first; with another Admin the account goes', async () => {
  await expect(run('user delete', ada.email, '--yes', ada.email)).rejects.toThrow(
    `${ada.email} is the last Admin of Engines ${n}. First make another one, 'user make-admin ADDRESS Engines ${n}', or delete it, 'workspace delete Engines ${n}'.`,
  )
  const grace = await aUser(app, { email: `grace-${n}@elsewhere.example` })
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: grace.id, role: 'Admin', createdAt: app.clock.now() })
    .execute()
  answer = ada.email
  expect(await run('user delete', ada.email)).toMatch(/is deleted\. Receipt/)
  expect(asked[0]).toContain(`It leaves: Engines ${n} (Admin).`)
  const left = app.db.selectFrom('users').select('id').where('id', '=', ada.id)
  expect(await left.execute()).toEqual([])
  await mailReceipts(app)
  const told = await receipts(`The account ${ada.email} was deleted`)
  expect(told.map(({ to }) => to).toSorted()).toEqual([ada.email, grace.email].toSorted())
})

test('a name without quotes, or an option that is none, names nothing and changes nothing', async () => {
  for (const words of [
    ['workspace delete', 'Engines', String(n)],
    ['workspace delete', `Engines ${n}`, '--nwo'],
    ['user delete', ada.email, 'and more'],
  ] as const) {
    const [verb, ...rest] = words
    await expect(run(verb, ...rest)).rejects.toThrow(/is too much here|is no option here/)
  }
  expect(asked).toEqual([])
})

test('an account that is in no workspace goes too', async () => {
  const { id, email } = await aUser(app, { email: `nowhere-${n}@elsewhere.example` })
  expect(await run('user delete', email, '--yes', email)).toMatch(/is deleted\. Receipt/)
  const left = app.db.selectFrom('users').select('id').where('id', '=', id)
  expect(await left.execute()).toEqual([])
})

test('a person gets what is known of their account, without secrets, and a file is never written over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-leaving-'))
  await app.db
    .updateTable('users')
    .set({ passwordHash: 'a hash of a password' })
    .where('id', '=', ada.id)
    .execute()
  await run('user export', ada.email, folder)
  const [name = ''] = await readdir(folder)
  const files = readZip(await readFile(join(folder, name)))
  expect(JSON.parse(String(files.get('account.json')))).toMatchObject({ email: ada.email })
  expect(JSON.parse(String(files.get('members.json')))).toMatchObject([
    { workspace_id: workspaceId, role: 'Admin' },
  ])
  expect([...files.values()].some((file) => file.includes('a hash of a password'))).toBe(false)
  await expect(run('user export', ada.email, join(folder, name))).rejects.toThrow('there already')
  await rm(folder, { recursive: true })
})
