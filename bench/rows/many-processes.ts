/**
 * One, two and four processes that accept mail and serve pages and programs, one PostgreSQL and one folder of blobs: what each adds, and what bounds it. Clients,
 * PostgreSQL and processes share the cores, so the processor time of each says more than the rate where there are few.
 */
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { withConnection } from '#server/storage/own-connection.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { freePort } from '#test-world/free-port.ts'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { anAppPassword } from '../imap/with-imap-product.ts'
import { processorMs } from '../memory.ts'
import { aFolder, logIn, type Product, seed, startProduct } from '../product.ts'
import type { Bench, Measured } from '../row.ts'
import { EMAIL, PASSWORD } from '../sample.ts'
import { boxes, DOMAIN, fillBusyDomain } from '../smtp/busy-domain.ts'
import { sendMails } from '../smtp/send-mails.ts'
import { readPages } from './api-reads.ts'

const COUNTS = [1, 2, 4]
const MAILBOXES = 20
const MAILS = 4_000
const READS = 6_000
const SESSIONS = 600
/** Of each count. */
const WARM_UP = 0.1

type Process = Product & { imapsPort: number }
type World = {
  processes: Process[]
  /** Its folder, by which its processes are known. */
  postgres: string
  databaseBytes(): Promise<number>
  mailboxId: string
}

export const manyProcesses: Bench = {
  name: 'many processes',
  run: async () => {
    const rows: Measured[] = []
    for (const count of COUNTS) rows.push(...(await withProcesses(count, measure)))
    return rows
  },
}

const withProcesses = async <T>(count: number, use: (world: World) => Promise<T>): Promise<T> => {
  const { dataDir, remove } = aFolder()
  await using undo = new AsyncDisposableStack()
  undo.defer(remove)
  const dns = await aDnsServer()
  undo.defer(() => dns.close())
  dns.zone('example.org')
  let mailboxId = ''
  await seed(dataDir, async (world) => {
    mailboxId = (await fillBusyDomain(world, MAILBOXES)).id
  })
  const postgres = await startEmbeddedPostgres({ dataDir })
  undo.defer(() => postgres.stop())
  const { host, user, password, database } = postgres.connection
  const address = `postgresql://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`
  const processes: Process[] = []
  for (let n = 0; n < count; n++) {
    const imapsPort = await freePort()
    const product = await startProduct(dataDir, {
      ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port), DATABASE_URL: address },
      // Four processes have room in the connections of our PostgreSQL, and one of them works.
      ...{ DATABASE_CONNECTIONS: '8', ROLES: n === 0 ? 'all' : 'web,smtp,imap' },
      // The socket of that PostgreSQL is for its owner and root.
      ...{ IMAPS_PORT: String(imapsPort), RUN_AS: 'root', PUBLIC_URL: 'http://localhost:8080' },
    })
    undo.defer(() => product.stop())
    processes.push({ ...product, imapsPort })
  }
  const databaseBytes = () =>
    withConnection(postgres.connection, 'bench', async (client) => {
      const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
      return Number(rows[0]?.bytes)
    })
  return await use({ processes, postgres: join(dataDir, 'postgres'), databaseBytes, mailboxId })
}

const measure = async (world: World): Promise<Measured[]> => {
  const { processes, mailboxId } = world
  const [first] = processes
  if (first === undefined) return []
  const token = await logIn(first.url, EMAIL, PASSWORD)
  const password = await anAppPassword(first.url, token, mailboxId)
  const share = (all: number) => Math.ceil(all / processes.length)
  const everywhere = (run: (process: Process) => Promise<unknown>) =>
    Promise.all(processes.map(run))
  const accept = (all: number) => () =>
    everywhere(({ smtpPort }) => sendMails(smtpPort, boxes(MAILBOXES), share(all)))
  const read = (all: number) => () =>
    everywhere(({ url }) => readPages(url, token, mailboxId, share(all)))
  const sessions = (all: number) => () =>
    everywhere(({ imapsPort }) => runSessions(imapsPort, password, share(all)))
  const before = await world.databaseBytes()
  const accepted = await rowsOf(world, 'accepted over SMTP', 'messages/s', MAILS, accept)
  const bytes = ((await world.databaseBytes()) - before) / (MAILS * (1 + WARM_UP))
  return [
    ...accepted,
    {
      ...{ what: `${processes.length}:   disk of the database, each`, value: bytes / 1e3 },
      ...{ unit: 'kB', budget: null },
    },
    ...(await rowsOf(world, 'reads of the API', 'requests/s', READS, read)),
    ...(await rowsOf(world, 'sessions of IMAP', 'requests/s', SESSIONS, sessions)),
  ]
}

const rowsOf = async (
  { processes, postgres }: World,
  what: string,
  unit: Measured['unit'],
  count: number,
  run: (count: number) => () => Promise<unknown>,
): Promise<Measured[]> => {
  await run(Math.ceil(count * WARM_UP))()
  const ofProcesses = () =>
    processorMs(
      processes.map(({ pid }) => pid),
      NO_FOLDER,
    )
  const ofPostgres = () => processorMs([], postgres)
  const [before, beforeThere] = [ofProcesses(), ofPostgres()]
  const startedAt = performance.now()
  await run(count)()
  const seconds = (performance.now() - startedAt) / 1000
  const row = (name: string, value: number, of: Measured['unit']): Measured => ({
    ...{ what: `${processes.length}: ${name}`, value, unit: of, budget: null },
  })
  return [
    row(what, count / seconds, unit),
    row('  processor time of the processes, each', (ofProcesses() - before) / count, 'ms'),
    row('  processor time of PostgreSQL, each', (ofPostgres() - beforeThere) / count, 'ms'),
  ]
}

/** In no command line. */
const NO_FOLDER = '/no such folder'
const CLIENTS = 4

/** What a program does when it looks for new mail, from its connection to its end. */
const runSessions = async (port: number, password: string, count: number): Promise<void> => {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const client = await ImapClient.connect(port)
      await client.until('* OK')
      await client.ok(`LOGIN box0@${DOMAIN} ${password}`)
      await client.ok('SELECT INBOX')
      await client.ok('FETCH 1:50 (UID FLAGS ENVELOPE)')
      await client.ok('LOGOUT')
      client.close()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, one))
}
