/** A worker is killed in the middle of an import and of an archive: a worker on another host, with an empty disk, goes on (decision 133). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mailbox } from '#contract/mailboxes.ts'
import { aDatabase, type TestDatabase } from '../database.ts'
import { anObjectStore } from '../object-store/object-store.ts'
import { aProduct, ELSEWHERE, MAIL_HOST, type Product } from '../product.ts'
import type { Program } from '../program.ts'
import { readZip } from '../read-zip.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain, PASSWORD } from './account.ts'

const MAILS = 400

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-worker-dies-'))
let database: TestDatabase
let store: Awaited<ReturnType<typeof anObjectStore>>
/** It has no worker. */
let front: Product
let worker: Program
let account: Account
let mailbox: Mailbox
let workers = 0
const aWorker = async () => {
  const DATA_DIR = join(root, `worker ${++workers}`)
  worker = front.begin({ DATA_DIR, ROLES: 'worker' })
  await worker.says(/ready: worker/)
}
beforeAll(async () => {
  ;[database, store] = [await aDatabase(), await anObjectStore()]
  await store.makeBucket('mail')
  front = await aProduct({
    ...{ DATABASE_URL: database.url, BLOB_URL: store.url('mail'), BILLING: 'off' },
    ...{ SECRET: 'one secret of all hosts, forty characters long', HOST: '127.0.0.1' },
    ...{ DATA_DIR: join(root, 'front'), PUBLIC_URL: `https://${MAIL_HOST}` },
    ROLES: 'web,smtp,imap',
  })
  await aWorker()
  account = await anAccount(front, `ada@${ELSEWHERE}`)
  mailbox = await aMailboxAt(
    account,
    await anActiveDomain(front, account, 'customer.example'),
    'ada',
  )
})
afterAll(async () => {
  worker.signal('SIGTERM')
  await worker.ended
  await front.close()
  await Promise.all([store.close(), database.drop()])
  rmSync(root, { recursive: true, force: true })
})

const changeWorkers = async (table: string) => {
  worker.signal('SIGKILL')
  await worker.ended
  // As if its lease were over: nobody waits for that here.
  await sql`update ${sql.table(table)} set claimed_until = '2000-01-01'`.execute(database.db)
  await aWorker()
}

const mbox = Buffer.from(
  Array.from(
    { length: MAILS },
    (_, n) =>
      `From s@example.net Sat Nov 28 10:00:00 2026\r\nFrom: s@example.net\r\nSubject: Old ${n}\r\n\r\n${'A line of text.\r\n'.repeat(400)}\r\n`,
  ).join(''),
)

test('an import goes on where it was, and files each mail once', async () => {
  const path = `/mailboxes/${mailbox._id}/imports`
  const form = { filename: 'old.mbox', fingerprint: 'old', size: mbox.length, folder: 'archive' }
  const { _id } = await account.ask('POST', path, form)
  await account.ask('PUT', `${path}/${_id}/pieces/0`, new Blob([mbox]))
  const state = async () => (await account.ask('GET', path))[0]
  await expect.poll(async () => (await state()).filed, { interval: 5 }).toBeGreaterThan(0)
  await changeWorkers('mail_imports')
  const { filed } = await state()
  expect(filed).toBeLessThan(MAILS)
  await expect.poll(state).toMatchObject({ state: 'done', filed: MAILS, failed: 0 })
  const rows = await database.db.selectFrom('messages').select('subject').execute()
  expect(rows.map(({ subject }) => subject).toSorted()).toEqual(
    Array.from({ length: MAILS }, (_, n) => `Old ${n}`).toSorted(),
  )
})

test('an archive is made anew', async () => {
  const { _id } = await account.ask('POST', '/workspace-exports', { password: PASSWORD })
  const state = async () => (await account.ask('GET', '/workspace-exports'))[0]
  await expect.poll(state, { interval: 5 }).toMatchObject({ _id, state: 'running' })
  await changeWorkers('workspace_exports')
  expect(await state()).toMatchObject({ state: 'running' })
  await expect.poll(state).toMatchObject({ state: 'done' })
  const { token } = await account.ask('POST', `/workspace-exports/${_id}/link`)
  const file = await fetch(`${front.url}/api/v1/workspace-export-files/${token}`)
  const files = [...readZip(Buffer.from(await file.arrayBuffer())).values()]
  const subjects = files.flatMap(
    (each) => each.toString('latin1').match(/^Subject: Old \d+/gm) ?? [],
  )
  expect(subjects).toHaveLength(MAILS)
})
