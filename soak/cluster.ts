/**
 * npm run soak -- cluster 20 1: a whole installation on seven hosts, in which for 20 minutes something dies every 20 seconds, in an
 * order that the seed 1 chooses, while mail comes and goes and people read. Says what was lost, and how long nobody was served.
 * Needs root, and of Debian: patroni etcd-server haproxy postgresql python3-swift memcached.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { checkIncoming, checkOutgoing, checkSessions } from '#test-world/cluster/account-of-all.ts'
import { LOGS, startCluster } from '#test-world/cluster/cluster.ts'
import { inTurn } from '#test-world/cluster/failures.ts'
import { removeHosts } from '#test-world/cluster/hosts.ts'
import { arrive } from '#test-world/cluster/load.ts'
import { outagesOf, type Strike, tableOf } from '#test-world/cluster/outages.ts'
import { errorsIn } from '#test-world/cluster/product-host.ts'
import { refusalsOf } from '#test-world/cluster/services.ts'
import { soon, within } from '#test-world/cluster/soon.ts'
import { chanceOf } from '#test-world/trials/seeded.ts'

const MINUTES = Number(process.argv[2] ?? 20)
const SEED = Number(process.argv[3] ?? 1)
if (!(MINUTES > 0) || !Number.isSafeInteger(SEED)) throw new Error('how many minutes, which seed?')
const EVERY_MS = 20_000
const SERVED_MS = 60_000
/** A replica that does not follow by then never will. */
const REPLICA_MS = 60_000

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    removeHosts()
    process.exit(1)
  })

const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)

await using cluster = await startCluster()
const load = await arrive(cluster, SEED)
say('all hosts are there, and people are served')

const strikes: Strike[] = []
const chance = chanceOf(SEED)
const begunAt = performance.now()
for (const [kind, make] of inTurn(chance)) {
  const since = performance.now()
  if (!(await within(SERVED_MS, async () => load.areServed(since)))) {
    load.faults.push('some people were not served any more, though all was back')
    break
  }
  await wait(Math.max(0, begunAt + EVERY_MS * (strikes.length + 1) - performance.now()))
  if (performance.now() - begunAt > MINUTES * 60_000) break
  const { detail, away, strike, mend } = await make(cluster, chance)
  const at = performance.now()
  const seconds = () => `${((performance.now() - at) / 1000).toFixed(1)} s`
  await strike()
  await wait(chance.between(away.from, away.to))
  await mend()
  strikes.push({ kind, at, mendedAt: performance.now() })
  const mended = seconds()
  const isWhole = await within(REPLICA_MS, cluster.isWhole)
  if (!isWhole && (await cluster.databases.mendReplica())) say('the replica is made anew')
  await soon('the whole cluster', cluster.isWhole)
  say(`${kind} (${detail}): mended after ${mended}, whole after ${seconds()}`)
}
const endedAt = performance.now()
await Promise.race([load.leave(), wait(SERVED_MS)])

say('all failures are over')
// The token of the start has expired.
await load.account.logIn()
const verdicts = [
  await checkIncoming(load.account, load.mailbox, load.sent),
  await checkOutgoing(cluster, load.accepted),
  await checkSessions(cluster.url, load.sessions),
]
console.log(tableOf(outagesOf(strikes, load.people, endedAt)))
for (const note of verdicts.flatMap(({ notes }) => notes)) console.log(note)
for (const line of refusalsOf(load.people)) console.log(line)
const faults = [...load.faults, ...verdicts.flatMap((verdict) => verdict.faults)]
for (const fault of faults) console.log(`FAULT ${fault}`)
const isWell = faults.length === 0
for (const line of errorsIn(LOGS)) console.log(`in a log: ${line}`)
console.log(
  isWell
    ? `seed ${SEED}: nothing was lost`
    : `seed ${SEED}: ${faults.length} faults; logs in ${LOGS}`,
)
process.exitCode = isWell ? 0 : 1
