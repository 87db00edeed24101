import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { newId } from '#server/lib/ids.ts'
import type { Database } from '#server/storage/database.ts'
import { aDomain, type Workspace } from '#test-world/builders.ts'
import { memoryBytes } from '../memory.ts'
import { aFolder, logIn, seed, startProduct } from '../product.ts'
import { type Bench, percentile } from '../row.ts'
import { anAdmin, EMAIL, PASSWORD } from '../sample.ts'

const DOMAINS = 1000
/** A real length; what it says does not matter to a look-up. */
const PUBLIC_KEY = `MIIBIjAN${'BgkqhkiG9w0BAQEFAAOC'.repeat(19)}IDAQAB`
const GIVE_UP_MS = 300_000

/** A thousand domains fall due at once; the pages of somebody else are read meanwhile. */
export const dnsChecks: Bench = {
  name: 'DNS checks',
  run: async () => {
    const { dataDir, remove } = aFolder()
    const names = Array.from({ length: DOMAINS }, (_, n) => `d${n}.example`)
    const dns = await aNameServer(names)
    await seed(dataDir, async (world) => {
      const { workspace } = await anAdmin(world)
      for (const name of names) await aDueDomain(world, workspace, name)
    })
    const product = await startProduct(dataDir, {
      DNS_SERVERS: `127.0.0.1:${dns.port}`,
      DNS_PORT: String(dns.port),
    })
    try {
      const token = await logIn(product.url, EMAIL, PASSWORD)
      const memory = () => memoryBytes(product.pid, dataDir)
      const { seconds, times, memoryBefore } = await watch(product.url, token, memory)
      const memoryAfter = memory()
      return [
        { what: 'check 1,000 domains x 5 records', value: seconds, unit: 's', budget: 10 },
        { what: 'API p99 while checking', value: percentile(times, 99), unit: 'ms', budget: 50 },
        {
          what: 'memory, from the first of them to the last',
          value: (memoryAfter - memoryBefore) / 1e6,
          unit: 'MB',
          budget: 60,
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

/** Everything is published, nothing is known of it yet, and the next minute it is looked at. */
const aDueDomain = async (world: World, workspace: Workspace, name: string): Promise<void> => {
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
        nextCheckAt: now,
        changedAt: null,
      })),
    )
    .execute()
}

type Listed = { status: string }

/** From the first domain that turned active to the last, with the time of each read meanwhile. */
const watch = async (url: string, token: string, memory: () => number) => {
  const get = async <T>(path: string): Promise<{ body: T; ms: number }> => {
    const startedAt = performance.now()
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await response.json()) as T
    return { body, ms: performance.now() - startedAt }
  }
  const active = async () =>
    (await get<Listed[]>('/domains')).body.filter(({ status }) => status === 'active').length
  const givesUpAt = performance.now() + GIVE_UP_MS
  while ((await active()) === 0) {
    if (performance.now() > givesUpAt) throw new Error('no domain was checked')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  // By now all that checks need is loaded; what grows from here grows with the number of domains.
  const memoryBefore = memory()
  const startedAt = performance.now()
  const times: number[] = []
  for (let turn = 1; ; turn++) {
    times.push((await get('/workspaces')).ms)
    times.push((await get('/mailboxes?limit=50')).ms)
    if (turn % 50 !== 0) continue
    if ((await active()) === DOMAINS) break
    if (performance.now() > givesUpAt) throw new Error(`${await active()} domains were checked`)
  }
  return { seconds: (performance.now() - startedAt) / 1000, times, memoryBefore }
}
