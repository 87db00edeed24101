import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { issueInvoice } from './features/billing/issue-invoice.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const operator = (args: string[], environment: Record<string, string>) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['server/operator.ts', ...args],
      { env: { PATH: process.env.PATH ?? '', ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

it('marks an invoice paid, and says so when there is none', async () => {
  const who = await aMember(app)
  const lines = [{ id: who.userId, email: 'ada@example.com' }]
  const invoice = await app.db
    .transaction()
    .execute((tx) => issueInvoice(app, tx, who.workspaceId, lines))
  const environment = { DATABASE_URL: app.database.url }
  expect(await operator(['invoice', 'paid', invoice.number], environment)).toEqual({
    code: 0,
    stdout: `${invoice.number} (Mailbox x 1, $2.00) is paid.\n`,
    stderr: '',
  })
  const row = await app.db
    .selectFrom('invoices')
    .select('status')
    .where('id', '=', invoice._id)
    .executeTakeFirstOrThrow()
  expect(row.status).toBe('Paid')
  expect(await operator(['invoice', 'paid', '999'], environment)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no invoice 999.\n',
  })
})

it('takes an invoice back by a credit note, and none that is paid', async () => {
  const who = await aMember(app)
  const lines = [{ id: who.userId, email: 'ada@example.com' }]
  const issue = () =>
    app.db.transaction().execute((tx) => issueInvoice(app, tx, who.workspaceId, lines))
  const [invoice, paid] = [await issue(), await issue()]
  const environment = { DATABASE_URL: app.database.url }
  await operator(['invoice', 'paid', paid.number], environment)
  expect(await operator(['invoice', 'void', invoice.number], environment)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/-000003 \(Mailbox x 1, -\$2\.00\) takes the invoice back\./),
    stderr: '',
  })
  expect((await operator(['invoice', 'void', invoice.number], environment)).stderr).toBe(
    `There is no invoice ${invoice.number}.\n`,
  )
  expect((await operator(['invoice', 'void', paid.number], environment)).stderr).toBe(
    `${paid.number} is paid, so it cannot be taken back.\n`,
  )
})

it('allows one domain more mailboxes, and says so when there is none', async () => {
  const who = await aMember(app)
  const { id, name } = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const environment = { DATABASE_URL: app.database.url }
  const limitOf = async () =>
    (
      await app.db
        .selectFrom('domains')
        .select('mailboxLimit')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).mailboxLimit
  const raised = await operator(['domain', 'limit', name.toUpperCase(), '1000'], environment)
  expect(raised.stdout).toBe(`${name.toUpperCase()} may have 1000 mailboxes.\n`)
  expect(await limitOf()).toBe(1000)
  await operator(['domain', 'limit', name, 'default'], environment)
  expect(await limitOf()).toBe(null)
  const nobodys = await operator(['domain', 'limit', 'nobody.example', '7'], environment)
  expect(nobodys.stderr).toBe('There is no verified domain nobody.example.\n')
  const wrong = await operator(['domain', 'limit', name, '-1'], environment)
  expect(wrong.stderr).toContain('npm run operator -- domain limit {name} {number}')
  expect(await limitOf()).toBe(null)
})

it('explains itself, and makes no database where there is none', async () => {
  const usage = await operator(['invoice', 'unpaid', '1'], {})
  expect(usage.code).toBe(1)
  expect(usage.stderr).toContain('npm run operator -- invoice paid {number}')
  const dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-operator-'))
  const nowhere = await operator(['invoice', 'paid', '1'], { DATA_DIR: dataDir })
  expect(nowhere.code).toBe(1)
  expect(nowhere.stderr).toMatch(/^DATA_DIR is .*no Mailstead has been started yet/)
  expect(await readdir(dataDir)).toEqual([])
  await rm(dataDir, { recursive: true })
})
