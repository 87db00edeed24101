/** PostgreSQL in trouble under load: each kind once, chosen by a seed; `npm run soak` does many, also with an external server. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { putCluster } from '../postgres/data-dir.ts'
import { isAnsweringIn } from '../postgres/in-folder.ts'
import { startOwner } from '../postgres/postgres-owner.ts'
import { aPair } from '../postgres/primary-and-standby.ts'
import { aProduct, ELSEWHERE, NO_BRAKES, type Product } from '../product.ts'
import { aMailboxAt, anAccount, anActiveDomain } from './account.ts'
import {
  isHealthy,
  putsOff,
  sendThrough,
  type Trouble,
  type TroubleTrial,
} from './database-trouble.ts'
import {
  failOver,
  fillDisk,
  killBackend,
  killPostmaster,
  mountSmallDisk,
  readOnly,
  restart,
  stop,
  takeAllConnections,
  terminateAll,
} from './database-troubles.ts'
import { chanceOf } from './seeded.ts'

const SEED = 20_261_123
/** A share of the full counts; 0: only the quick kinds, once. */
const share = Number(process.env.TROUBLES ?? 0)
const isWhole = share > 0
/** Measured by `npm run soak`, which has the machine for itself; `npm test` waits until it is so. */
const NORMAL_WITHIN_MS = 5_000
const DISK_MB = 700

type Row = TroubleTrial & { where: string }
const rows: Row[] = []
afterAll(() => {
  if (!isWhole) return
  const kinds = Map.groupBy(rows, ({ where, name }) => `${where}: ${name}`)
  for (const [kind, trials] of kinds) console.log(summaryOf(kind, trials))
  mkdirSync('.build', { recursive: true })
  writeFileSync('.build/database-trouble.json', JSON.stringify({ seed: SEED, rows }, null, 2))
})

const summaryOf = (kind: string, trials: Row[]): string => {
  const sorted = trials.map(({ normalMs }) => normalMs).sort((a, b) => a - b)
  const recovery = Math.max(...trials.map(({ recoveryMs }) => recoveryMs))
  const sum = (of: (row: Row) => number) => trials.reduce((all, row) => all + of(row), 0)
  const ms = `${sorted[Math.floor(sorted.length / 2)]} ms, at most ${sorted.at(-1)} ms`
  const mails = `${sum((row) => row.acknowledged)} mails got 250, ${sum((row) => row.putOff)} not`
  return `${kind}, ${trials.length} times: normal ${ms} after its return (itself at most ${recovery} ms); ${mails}; ${sum((row) => row.faults.length)} faults`
}

const troublesAt = (product: Product, folder: string, disk: string | null): Trouble[] => {
  const chance = chanceOf(SEED)
  const isNoticed = async () => !(await isHealthy(product.url))
  const times = (count: number, make: () => Trouble) =>
    Array.from({ length: Math.max(1, Math.round(count * share)) }, make)
  return [
    ...times(40, () => terminateAll(folder)),
    ...times(20, () => killBackend(folder, chance)),
    ...times(10, () => killPostmaster(folder)),
    ...times(5, () => readOnly(folder, isWhole ? 10_000 : 1_500)),
    ...times(5, () => takeAllConnections(folder, isWhole ? 10_000 : 1_500, isNoticed)),
    ...(isWhole ? [restart(folder), stop(folder, 30_000)] : []),
    ...(isWhole && disk !== null ? [fillDisk(disk, 10_000)] : []),
  ]
}

const suffer = async (
  where: string,
  product: Product,
  isAnswering: () => Promise<boolean>,
  troubles: Trouble[],
): Promise<void> => {
  const { pid } = product
  const account = await anAccount(product, `ada@${ELSEWHERE}`)
  const domain = await anActiveDomain(product, account, 'trouble.example')
  for (const [n, trouble] of troubles.entries()) {
    const mailbox = await aMailboxAt(account, domain, `box${n}`)
    const trial = await sendThrough(product, account, mailbox, { trouble, isAnswering }, SEED + n)
    rows.push({ where, ...trial })
    expect(trial.faults, trouble.name).toEqual([])
    if (isWhole) expect(trial.normalMs, trouble.name).toBeLessThan(NORMAL_WITHIN_MS)
    // The process did not restart.
    expect(process.kill(pid, 0)).toBe(true)
  }
}

/** A folder, on a disk of its own when mounting is possible. */
const aPlace = () => {
  const disk = mkdtempSync(join(tmpdir(), 'mailstead-test-trouble-'))
  // Started by root, PostgreSQL runs under another account that must be able to enter the folder.
  chmodSync(disk, 0o711)
  const unmount = isWhole ? mountSmallDisk(disk, DISK_MB) : null
  if (isWhole && unmount === null) console.log('a small disk may not be mounted: it is not tried')
  const folder = join(disk, 'data')
  mkdirSync(folder, { mode: 0o711 })
  putCluster(folder)
  const close = () => {
    unmount?.()
    rmSync(disk, { recursive: true, force: true })
  }
  return { disk: unmount === null ? null : disk, folder, close }
}

const settings = { BILLING: 'off', ...NO_BRAKES }
const timeout = 1_800_000

test('its own PostgreSQL in trouble: the process lives, what got 250 is there once, and all is normal soon', {
  timeout,
}, async () => {
  const { disk, folder, close } = aPlace()
  const product = await aProduct({ ...settings, DATA_DIR: folder })
  try {
    await suffer('own', product, () => isAnsweringIn(folder), troublesAt(product, folder, disk))
  } finally {
    await product.close()
    close()
  }
})

const sufferOutside = async () => {
  const { disk, folder, close } = aPlace()
  const owner = await startOwner(folder)
  const { host, user, password, database } = owner.connection
  const DATABASE_URL = `postgresql://${user}:${encodeURIComponent(String(password))}@${encodeURIComponent(host)}/${database}`
  const product = await aProduct({ ...settings, DATABASE_URL })
  try {
    await suffer('outside', product, () => isAnsweringIn(folder), troublesAt(product, folder, disk))
  } finally {
    await product.close()
    await owner.stop()
    close()
  }
}
if (isWhole) test('and one outside', { timeout }, sufferOutside)

/** Each needs two new servers: a killed primary is not restarted. */
const sufferFailover = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-trouble-'))
  chmodSync(folder, 0o711)
  const pair = await aPair(folder)
  const product = await aProduct({ ...settings, DATABASE_URL: pair.url })
  const trouble = failOver(pair, () => putsOff(product, 'box0@trouble.example'))
  try {
    await suffer('failover', product, pair.isAnswering, [trouble])
  } finally {
    await product.close()
    pair.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
if (isWhole)
  test('a standby takes over from a primary that was killed', { timeout }, async () => {
    for (let n = 0; n < Math.max(1, Math.round(5 * share)); n++) await sufferFailover()
  })
