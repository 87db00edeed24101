/**
 * The worst attacks of a stranger, a free account, a tenant and a sender, one after the other, each beside an honest tenant. The
 * tenant is measured before, during and after an attack, and beside a process that only uses as much of the processor as the
 * attacker: the budget is three times the longer of the two calm times. WORST selects attacks by a part of their name;
 * WORST_SECONDS is the length of one measurement.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { aFolder, type Product, seed, startProduct } from '../product.ts'
import type { Bench, Measured } from '../row.ts'
import type { Attack, WorstWorld } from '../worst/attack.ts'
import { allAttacks } from '../worst/attacks.ts'
import { type Honest, KINDS, type Kind, measureHonest, type Times } from '../worst/honest-tenant.ts'
import { enter, fill, type Seeded, sendFirstMails, setUpFactor } from '../worst/world.ts'

const SPELLS = { count: 3, ms: Number(process.env.WORST_SECONDS ?? 5) * 1_000 }
/** The attacker process may use this share of one processor. */
const ATTACKER_SHARE = 0.33
/** Until everything that the first requests load is loaded. */
const WARM_MS = 5_000
/** From the start of an attack to its full effect, and from its end to normal operation. */
const SETTLE_MS = 2_000
const MOST_TIMES = 3
const MOST_MEGABYTES = 512
/** A p99 below this is noise on a machine with two processors. */
const NOISE_MS = 30
/** The kernel's unit for processor times. */
const TICK_MS = 10

const wanted = process.env.WORST ?? ''
const attacker = fileURLToPath(new URL('../worst/attacker.ts', import.meta.url))
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

export const worst: Bench = {
  name: 'worst',
  run: async () => {
    const { dataDir, remove } = aFolder()
    const dns = await aDnsServer()
    dns.zone('example.org')
    let seeded: Seeded | undefined
    try {
      await seed(dataDir, async (world) => {
        seeded = await fill(world)
      })
      const product = await startProduct(dataDir, {
        ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port) },
      })
      try {
        return await attackAll(product, seeded as Seeded)
      } finally {
        await product.stop()
      }
    } finally {
      await dns.close()
      remove()
    }
  },
}

const attackAll = async (product: Product, seeded: Seeded): Promise<Measured[]> => {
  await sendFirstMails(product, seeded)
  await setUpFactor(product)
  // Loading and compiling for the first requests must not count as an attack.
  await measureHonest((await enter(product, seeded)).honest, { count: 1, ms: WARM_MS })
  console.log(`medians over ${SPELLS.count} spells of ${SPELLS.ms / 1000} s`)
  const rows: Measured[] = []
  for (const attack of allAttacks.filter(({ name }) => name.includes(wanted))) {
    const { honest, world } = await enter(product, seeded)
    const measured = await measure(product, attack.name, honest, world)
    print(attack, measured)
    rows.push(...rowsOf(attack, measured))
  }
  return rows
}

type Phases = Record<'before' | 'during' | 'after' | 'beside a stand-in', Times>
type Result = { phases: Phases; megabytes: number; spent: string }

const measure = async (
  product: Product,
  name: string,
  honest: Honest,
  world: WorstWorld,
): Promise<Result> => {
  const before = await measureHonest(honest, SPELLS)
  const memory = watchMemory(product.pid)
  const attack = await startAttacker(name, world, ATTACKER_SHARE)
  const startedAt = performance.now()
  const [ofAttack, ofProduct] = [watchProcessor(attack.pid), watchProcessor(product.pid)]
  const during = await measureHonest(honest, SPELLS)
  const forMs = performance.now() - startedAt
  const share = ofAttack().usedMs / forMs
  const { usedMs, waitedMs } = ofProduct()
  const spent = `processor: attacker ${percent(share)}, product ${percent(usedMs / forMs)}, which waited for one ${percent(waitedMs / forMs)} of the time`
  await attack.end()
  const after = await measureHonest(honest, SPELLS)
  const megabytes = memory.most() / 1e6
  const standIn = await startAttacker('stand-in', world, Math.max(0.01, share))
  const beside = await measureHonest(honest, SPELLS)
  await standIn.end()
  const phases = { before, during, after, 'beside a stand-in': beside }
  return { phases, megabytes, spent }
}

const startAttacker = async (name: string, world: WorstWorld, share: number) => {
  const child = spawn(process.execPath, [attacker, name, JSON.stringify(world), String(share)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  await wait(SETTLE_MS)
  const end = async () => {
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), SETTLE_MS)
    await ended
    clearTimeout(kill)
    await wait(SETTLE_MS)
  }
  return { pid: child.pid ?? 0, end }
}

const rowsOf = ({ who, name }: Attack, { phases, megabytes }: Result): Measured[] => {
  const what = `worst: ${who}: ${name}`
  const calm = (kind: Kind) =>
    Math.max(phases.before[kind].p99, phases['beside a stand-in'][kind].p99, NOISE_MS)
  return [
    ...KINDS.map((kind) => ({
      ...{ what: `${what}: ${kind}, p99`, value: phases.during[kind].p99, unit: 'ms' as const },
      budget: Math.round(MOST_TIMES * calm(kind)),
    })),
    { what: `${what}: memory`, value: megabytes, unit: 'MB', budget: MOST_MEGABYTES },
  ]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const print = ({ who, name }: Attack, { phases, megabytes, spent }: Result): void => {
  const load = `load of the machine ${loadavg()[0]?.toFixed(1)}`
  console.log(`${who}: ${name}: memory ${megabytes.toFixed(0)} MB, ${spent}, ${load}`)
  for (const kind of KINDS) {
    const cells = Object.entries(phases).map(([phase, of]) => {
      const { p50, p99, failed, count } = of[kind]
      const refused = failed === 0 ? '' : ` (${failed} of ${count} failed)`
      return `${phase} ${p50.toFixed(1)} / ${p99.toFixed(1)} ms${refused}`
    })
    console.log(`  ${kind.padEnd(5)} p50 / p99: ${cells.join(', ')}`)
  }
  const late = Object.entries(phases).map(([phase, { lateMs }]) => `${phase} ${lateMs.toFixed(1)}`)
  console.log(`  timers of the bench late by (p99, ms): ${late.join(', ')}`)
}

/** `usedMs`: of all threads; `waitedMs`: time in which the main thread was ready but had no processor. */
const watchProcessor = (pid: number) => {
  const look = () => {
    const [, stat = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user = 0, system = 0] = stat.split(' ').slice(11, 13).map(Number)
    const [, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return { usedMs: (user + system) * TICK_MS, waitedMs: waited / 1e6 }
  }
  const before = look()
  return () => {
    const now = look()
    return { usedMs: now.usedMs - before.usedMs, waitedMs: now.waitedMs - before.waitedMs }
  }
}

/** Of the product's own process with its threads; PostgreSQL is not included. */
const watchMemory = (pid: number): { most(): number } => {
  let most = 0
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    most = Math.max(most, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024)
  }, 200)
  return {
    most: () => {
      clearInterval(timer)
      return most
    },
  }
}
