import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { newId } from '#server/lib/ids.ts'
import type { Database } from '#server/storage/database.ts'
import { visitStorage } from '#server/storage/open-storage.ts'
import { aDomain, type Workspace } from '#test-world/builders.ts'
import { processBytes } from '../memory.ts'
import { aFolder, logIn, type Product, seed, startProduct } from '../product.ts'
import { type Bench, percentile } from '../row.ts'
import { anAdmin, EMAIL, PASSWORD } from '../sample.ts'

const DOMAINS = 1000
const RECORDS = 5
/** The first round loads everything that checks need. */
const ROUNDS = 6
/** Of realistic length; its content does not matter for a look-up. */
const PUBLIC_KEY = `MIIBIjAN${'BgkqhkiG9w0BAQEFAAOC'.repeat(19)}IDAQAB`
const GIVE_UP_MS = 300_000

/** A thousand domains become due at once, in several rounds, while a user reads pages. */
export const dnsChecks: Bench = {
  name: 'DNS checks',
  run: async () => {
    const { dataDir, remove } = aFolder()
    const names = Array.from({ length: DOMAINS }, (_, n) => `d${n}.example`)
    const dns = await aNameServer(names)
    await seed(dataDir, async (world) => {
      const { workspace } = await anAdmin(world)
      for (const name of names) await aPublishedDomain(world, workspace, name)
    })
    const product = await startProduct(dataDir, {
      DNS_SERVERS: `127.0.0.1:${dns.port}`,
      DNS_PORT: String(dns.port),
    })
    try {
      const { seconds, times, memory } = await runRounds(product, dataDir)
      const [, second = 0, ...later] = memory
      console.log(`  rounds: ${seconds.map((each) => each.toFixed(1)).join(', ')} s`)
      console.log(
        `  memory of the process after each: ${memory.map((each) => (each / 1e6).toFixed(0)).join(', ')} MB`,
      )
      return [
        {
          what: 'check 1,000 domains x 5 records, slowest round',
          ...{ value: Math.max(...seconds), unit: 's', budget: 10 },
        },
        { what: 'API p99 while checking', value: percentile(times, 99), unit: 'ms', budget: 50 },
        {
          what: `memory of the process, grown from the second round to the last of ${ROUNDS}`,
          ...{ value: ((later.at(-1) ?? second) - second) / 1e6, unit: 'MB', budget: 15 },
        },
      ]
    } finally {
      await product.stop()
      await dns.stop()
      remove()
    }
  },
}

const textsOf = (name: string): Record<string, string> => ({
  [`_mailstead.${name}`]: `mailstead-verify=token-of-${name}`,
  [name]: 'v=spf1 ip4:127.0.0.1 ~all',
  [`ms1._domainkey.${name}`]: `v=DKIM1; k=rsa; p=${PUBLIC_KEY}`,
  [`_dmarc.${name}`]: 'v=DMARC1; p=none',
})

const aNameServer = async (names: string[]) => {
  const child = spawn(process.execPath, ['bench/dns-world.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for (const zone of names)
    child.stdin.write(
      `${JSON.stringify({ zone, txt: textsOf(zone), mx: '10 mail.example.net' })}\n`,
    )
  child.stdin.end('\n')
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const ended = once(child, 'exit')
  return {
    port: Number(port),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

type World = { db: Database; clock: { now(): Date } }

/** All its records are published, but not checked yet. */
const aPublishedDomain = async (
  world: World,
  workspace: Workspace,
  name: string,
): Promise<void> => {
  const { db } = world
  const now = world.clock.now()
  const domain = await aDomain(world, {
    workspaceId: workspace.id,
    name,
    verified: true,
    ownershipToken: `token-of-${name}`,
  })
  await db
    .insertInto('domainKeys')
    .values({
      id: newId(),
      domainId: domain.id,
      workspaceId: workspace.id,
      selector: 'ms1',
      algorithm: 'rsa',
      privateKeySealed: '',
      publicKey: PUBLIC_KEY,
      createdAt: now,
    })
    .execute()
  const values = Object.entries(textsOf(name))
  await db
    .insertInto('domainRecords')
    .values(
      (['ownership', 'spf', 'dkim', 'dmarc', 'mx'] as const).map((purpose, position) => ({
        domainId: domain.id,
        workspaceId: workspace.id,
        purpose,
        position,
        type: purpose === 'mx' ? ('MX' as const) : ('TXT' as const),
        name: values[position]?.[0] ?? name,
        value: values[position]?.[1] ?? 'mail.example.net',
        ttl: 3600,
        priority: purpose === 'mx' ? 10 : null,
        isRequired: purpose !== 'mx',
        found: '[]',
        checkedAt: null,
        nextCheckAt: null,
        changedAt: null,
      })),
    )
    .execute()
}

type Db = Awaited<ReturnType<typeof visitStorage>>['db']

/** Makes every domain due at once, in each round. */
const runRounds = async (product: Product, dataDir: string) => {
  const read = reader(product.url, await logIn(product.url, EMAIL, PASSWORD))
  const place = { databaseUrl: null, dataDir }
  const { db, close } = await visitStorage(place, { onError: () => {} })
  const seconds: number[] = []
  const times: number[] = []
  const memory: number[] = []
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const due = new Date()
      await db.updateTable('domainRecords').set({ nextCheckAt: due }).execute()
      const done = untilChecked(db, due)
      times.push(...(await readMeanwhile(read, done)))
      seconds.push(await done)
      memory.push(processBytes(product.pid))
    }
  } finally {
    await close()
  }
  return { seconds, times, memory }
}

/** @returns the seconds from the first checked domain to the last */
const untilChecked = async (db: Db, since: Date): Promise<number> => {
  const givesUpAt = performance.now() + GIVE_UP_MS
  let startedAt = 0
  for (;;) {
    const { checked } = await db
      .selectFrom('domainRecords')
      .select(({ fn }) => fn.countAll<number>().as('checked'))
      .where('checkedAt', '>=', since)
      .where('state', '=', 'verified')
      .executeTakeFirstOrThrow()
    if (startedAt === 0 && checked > 0) startedAt = performance.now()
    if (checked === DOMAINS * RECORDS) return (performance.now() - startedAt) / 1000
    if (performance.now() > givesUpAt) throw new Error(`${checked} records were checked`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

type Read = (path: string) => Promise<number>

/** @returns a function that reads one path and returns the milliseconds that it took */
const reader =
  (url: string, token: string): Read =>
  async (path) => {
    const startedAt = performance.now()
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    await response.arrayBuffer()
    return performance.now() - startedAt
  }

/** The times of all reads until `done` resolves. */
const readMeanwhile = async (read: Read, done: Promise<number>): Promise<number[]> => {
  const times: number[] = []
  let isDone = false
  const end = () => {
    isDone = true
  }
  done.then(end, end)
  while (!isDone) {
    times.push(await read('/workspaces'))
    times.push(await read('/mailboxes?limit=50'))
  }
  return times
}
