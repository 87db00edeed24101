/**
 * An installation of 20,000 mailboxes and a million mails: the pages of its operators, what it takes while nobody does anything, and
 * what its daily jobs read.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { schedule } from '#server/jobs/runner.ts'
import { startApp } from '#server/start-app.ts'
import { connectionIn } from '#test-world/postgres/in-folder.ts'
import { ANY_PORT } from '#test-world/program.ts'
import { fillLarge, LARGE } from '../large/large-installation.ts'
import { processorMs } from '../memory.ts'
import { aFolder, logIn, type Product, seed, startProduct } from '../product.ts'
import { type Bench, type Measured, percentile } from '../row.ts'
import { EMAIL, PASSWORD } from '../sample.ts'

const IDLE_SECONDS = 60
const CALLS = 20
const PAGE_MS = 300
/** Of one core. */
const IDLE_PERCENT = 2

export const large: Bench = {
  name: 'large installation',
  run: async () => {
    const { dataDir, remove } = aFolder()
    try {
      await seed(dataDir, (world) => fillLarge(dataDir, world, LARGE))
      return [...(await running(dataDir)), ...(await dailyJobs(dataDir))]
    } finally {
      remove()
    }
  },
}

const running = async (dataDir: string): Promise<Measured[]> => {
  const product = await startProduct(dataDir, { OPERATORS: EMAIL })
  try {
    return [...(await pages(product)), await idle(product)]
  } finally {
    await product.stop()
  }
}

const calls: [what: string, path: string][] = [
  ['workspaces', '/operator/workspaces?limit=50'],
  ['workspaces by storage', '/operator/workspaces?limit=50&order=storage'],
  ['workspaces, second page', '/operator/workspaces?limit=50&cursor=50'],
  ['workspaces with a word', '/operator/workspaces?limit=50&q=d1999'],
  ['people', '/operator/accounts?limit=50'],
  ['people, second page', '/operator/accounts?limit=50&cursor=50'],
  ['people with a word', '/operator/accounts?limit=50&q=box19999'],
  ['people with a word that nobody has', '/operator/accounts?limit=50&q=quicksilver'],
  ['queue', '/operator/queue'],
  ['queue, deliveries', '/operator/queue/deliveries?limit=50'],
  ['actions', '/operator/actions?limit=50'],
  ['actions with a word', '/operator/actions?limit=50&q=199'],
]

const pages = async (product: Product): Promise<Measured[]> => {
  const token = await logIn(product.url, EMAIL, PASSWORD)
  const get = async (path: string) => {
    const response = await fetch(`${product.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const rows: Measured[] = []
  for (const [what, path] of calls) {
    await get(path)
    const tookMs: number[] = []
    const before = processorMs([product.pid], product.dataDir)
    for (let n = 0; n < CALLS; n++) {
      const startedAt = performance.now()
      await get(path)
      tookMs.push(performance.now() - startedAt)
    }
    const workMs = (processorMs([product.pid], product.dataDir) - before) / CALLS
    rows.push(
      {
        ...{ what: `operators: ${what}, 95 of 100`, unit: 'ms', budget: PAGE_MS },
        value: percentile(tookMs, 95),
      },
      { what: '  processor for each', value: workMs, unit: 'ms', budget: null },
    )
  }
  return rows
}

const idle = async (product: Product): Promise<Measured> => {
  // What the calls before left to be done.
  await wait(5_000)
  const before = processorMs([product.pid], product.dataDir)
  await wait(IDLE_SECONDS * 1_000)
  const share = (processorMs([product.pid], product.dataDir) - before) / (IDLE_SECONDS * 10)
  return { what: 'idle with 2,000 domains', value: share, unit: '%', budget: IDLE_PERCENT }
}

/** Each job of the schedule, once, with all its connections to one database whose counters are read. */
const dailyJobs = async (dataDir: string): Promise<Measured[]> => {
  const environment = {
    ...{ DATA_DIR: dataDir, MAIL_HOST: 'mail.example.net', MAIL_IPS: '127.0.0.1', ROLES: 'web' },
    ...{ ALLOW_LOOPBACK_PEERS: 'on', LOG_LEVEL: 'error', BILLING: 'off', ...ANY_PORT },
  }
  const running = await startApp(readConfig(environment, dataDir))
  try {
    const { app } = running
    const rows: Measured[] = []
    let before = await countersOf(dataDir)
    for (const { name, cron, run } of schedule) {
      // The others run each minute or each hour.
      if (!/^\d+ \d+ /.test(cron)) continue
      const [startedAt, workFrom] = [performance.now(), processorMs([process.pid], dataDir)]
      await run(app)
      const tookMs = performance.now() - startedAt
      const workMs = processorMs([process.pid], dataDir) - workFrom
      const after = await countersOf(dataDir)
      const [read, buffers] = [after.rows - before.rows, after.buffers - before.buffers]
      rows.push(
        {
          what: `job ${name}: ${read} rows, ${buffers} buffers`,
          value: tookMs,
          unit: 'ms',
          budget: null,
        },
        { what: '  processor', value: workMs, unit: 'ms', budget: null },
      )
      before = after
    }
    return rows
  } finally {
    await running.close()
  }
}

type Counters = { rows: number; buffers: number }

/** Rows that scans read, and pages that were looked at. */
const countersOf = async (dataDir: string): Promise<Counters> => {
  const client = new pg.Client({ ...connectionIn(dataDir), database: 'mailstead' })
  await client.connect()
  try {
    // An idle session tells its counters after ten seconds.
    await wait(10_500)
    const { rows } = await client.query<Counters>(
      `select (tup_returned + tup_fetched)::float8 as rows, (blks_hit + blks_read)::float8 as buffers
      from pg_stat_database where datname = 'mailstead'`,
    )
    return rows[0] ?? { rows: 0, buffers: 0 }
  } finally {
    await client.end()
  }
}
