/** Two hosts in processes of their own, which share a database, a bucket and SECRET, and nothing else: the second has no role `worker`. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Mailbox } from '#contract/mailboxes.ts'
import { HOST } from '../../acme/acme-directory.ts'
import { aDatabase, type TestDatabase } from '../../database.ts'
import { freePort } from '../../free-port.ts'
import { anObjectStore } from '../../object-store/object-store.ts'
import {
  aProduct,
  ELSEWHERE,
  MAIL_HOST,
  NO_BRAKES,
  type Product,
  type Running,
  runningOf,
} from '../../product.ts'
import type { Program } from '../../program.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain } from '../account.ts'
import { ourDirectory, type TrialDirectory } from '../certificates/directories.ts'

export type HostsWorld = {
  database: TestDatabase
  directory: TrialDirectory
  /** With all roles; it owns the DNS and the peer. */
  first: Product
  /** Without `worker`. `https`: its port, where the directory looks at names. */
  second: Running & { dataDir: string; https: number }
  firstHttps: number
  /** Of the first host, and a mailbox that it reads. */
  account: Account
  mailbox: Mailbox
  /** Another process with a new DATA_DIR. */
  begin(more?: Record<string, string>): { program: Program; dataDir: string }
  /** For BACKUP_URL, which no host has yet. */
  backups: string
  /** The operator's tool at the second host. */
  operator(...words: string[]): Promise<string>
  close(): Promise<void>
}

const SECRET = 'one secret of all hosts, forty characters long'

export const aHostsWorld = async (): Promise<HostsWorld> => {
  const root = mkdtempSync(join(tmpdir(), 'mailstead-test-hosts-'))
  const [database, store] = [await aDatabase(), await anObjectStore()]
  for (const bucket of ['mail', 'backups']) await store.makeBucket(bucket)
  const [https, http, secondHttps, secondHttp] = await Promise.all([1, 2, 3, 4].map(freePort))
  let directory: TrialDirectory | undefined
  const shared = { DATABASE_URL: database.url, BLOB_URL: store.url('mail'), SECRET }
  const PUBLIC_URL = `https://${MAIL_HOST}`
  const first = await aProduct(
    {
      ...{ ...shared, ...NO_BRAKES, DATA_DIR: join(root, 'first'), PUBLIC_URL, BILLING: 'off' },
      ...{ HOST: '127.0.0.1', HTTPS_PORT: String(https), HTTP_PORT: String(http) },
      UNDO_SECONDS: '20',
    },
    async (dns) => {
      dns.zone(HOST)
      dns.set(HOST, 'A', ['127.0.0.1'])
      // It finds nobody but the second host, while the first one asks it.
      directory = await ourDirectory({ http: Number(secondHttp), tls: Number(secondHttps) })
      return { ACME_DIRECTORY: directory.url, ACME_CA: directory.caFile }
    },
  )
  let hosts = 1
  const begin = (more: Record<string, string> = {}) => {
    const dataDir = join(root, `host ${++hosts}`)
    return { program: first.begin({ DATA_DIR: dataDir, ...more }), dataDir }
  }
  const other = begin({
    ...{ ROLES: 'web,smtp,imap', HTTPS_PORT: String(secondHttps), HTTP_PORT: String(secondHttp) },
  })
  const second = { ...(await runningOf(other.program)), dataDir: other.dataDir }
  const account = await anAccount(first, `ada@${ELSEWHERE}`)
  const domain = await anActiveDomain(first, account, 'customer.example')
  const mailbox = await aMailboxAt(account, domain, 'ada')
  if (directory === undefined) throw new Error('there is no directory')
  const used = directory
  return {
    ...{ database, directory: used, first, account, mailbox, begin },
    second: { ...second, https: Number(secondHttps) },
    firstHttps: Number(https),
    backups: store.url('backups'),
    operator: async (...words) => {
      const env = { PATH: process.env.PATH, ...shared, PUBLIC_URL, DATA_DIR: other.dataDir }
      const tool = ['server/operator.ts', ...words]
      return (await promisify(execFile)(process.execPath, tool, { env })).stdout
    },
    close: async () => {
      second.program.signal('SIGTERM')
      await second.program.ended
      await first.close()
      await Promise.all([used.close(), store.close(), database.drop()])
      rmSync(root, { recursive: true, force: true })
    },
  }
}
