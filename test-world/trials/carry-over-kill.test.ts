/**
 * Starts on a database of PostgreSQL 17 that are killed at moments by chance, alone or with every PostgreSQL: the next start goes on or
 * begins again, and nothing is lost. `KILLS=50 SEED=7` for more of them.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mailbox } from '#contract/mailboxes.ts'
import { killPostgres } from '../postgres/kill-postgres.ts'
import { makeOlder } from '../postgres/older-cluster.ts'
import { aProduct, ELSEWHERE, NO_BRAKES, type Product } from '../product.ts'
import { type Account, aMailboxAt, anAccount, anActiveDomain } from './account.ts'
import { BACKUP_KEY, operator } from './backups/backup-world.ts'
import { commandsOf, triedHere } from './deploy/page-commands.ts'
import { keptMails } from './incoming-kill.ts'
import { endlessMails } from './mails.ts'
import { type Chance, chanceOf } from './seeded.ts'
import { startSending } from './store/sender.ts'

const KILLS = Number(process.env.KILLS ?? 2)
const SEED = Number(process.env.SEED ?? 1)
const MAILS = 100
const OLDER = 17

let product: Product
let account: Account
let mailbox: Mailbox
beforeAll(async () => {
  product = await aProduct({ BILLING: 'off', ...NO_BRAKES })
  account = await anAccount(product, `ada@${ELSEWHERE}`)
  mailbox = await aMailboxAt(account, await anActiveDomain(product, account, 'old.example'), 'box')
})
afterAll(() => product.close())

const receive = async (): Promise<void> => {
  const mails = endlessMails(mailbox.email, SEED).take(MAILS)
  const sending = startSending(() => product.smtpPort, mailbox.email, mails)
  await expect.poll(() => sending.acknowledged.size, { timeout: 60_000 }).toBe(MAILS)
  await sending.stop()
}

const versionOf = (cluster: string) => {
  const file = join(product.dataDir, cluster, 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

const isComplete = () => existsSync(join(product.dataDir, 'postgres-next/complete'))

/** @returns milliseconds from the line that says it until it is done */
const carriedMs = async (): Promise<number> => {
  const program = product.begin()
  await program.says(/carried over to PostgreSQL 18, .* only read/)
  const startedAt = performance.now()
  await program.says(/rows of \d+ tables are carried over and compared/)
  const ms = performance.now() - startedAt
  await program.says(/The database as it was .* kept at \S+postgres-17 until the next backup/)
  program.signal('SIGTERM')
  await program.ended
  return ms
}

/** What is there when the wait for the kill begins, and how long it is at most as a part of the whole. */
const moments = [
  { when: 'postgres-next/postgres/postmaster.pid', share: 0.5 },
  { when: 'postgres-next/complete', share: 0 },
  { when: null, share: 0.3 },
  { when: 'postgres-next/postgres/PG_VERSION', share: 0.3 },
  { when: `postgres-${OLDER}`, share: 0 },
] as const
type Moment = (typeof moments)[number]

const kill = async ({ when, share }: Moment, longestMs: number, chance: Chance): Promise<void> => {
  const program = product.begin()
  await program.says(/carried over to PostgreSQL 18/)
  let hasEnded = false
  void program.ended.then(() => (hasEnded = true))
  while (when !== null && !hasEnded && !existsSync(join(product.dataDir, when))) await wait(0)
  await wait(chance.between(0, Math.ceil(longestMs * share)))
  program.signal('SIGKILL')
  const clusters = ['postgres', 'postgres-next/postgres', `postgres-${OLDER}`]
  if (chance.between(0, 1) === 1)
    for (const cluster of clusters) killPostgres(product.dataDir, cluster)
  await program.ended
}

test(
  'a start on an older PostgreSQL that is killed loses nothing, and the next one has all',
  async () => {
    const chance = chanceOf(SEED)
    await receive()
    const before = await keptMails(account, mailbox)
    expect(before.size).toBe(MAILS)
    await product.kill()
    await makeOlder(product.dataDir, OLDER)
    expect(versionOf('postgres')).toBe('17')
    const usualMs = await carriedMs()
    const counts = { killed: 0, 'before it was complete': 0, 'between two folders': 0, after: 0 }
    for (let n = 0; n < KILLS; n++) {
      if (versionOf('postgres') !== String(OLDER) || isComplete()) {
        // A start that finds the folders half-way goes on by itself.
        await checked(before)
        await makeOlder(product.dataDir, OLDER)
      }
      rmSync(join(product.dataDir, `postgres-${OLDER}`), { recursive: true, force: true })
      // Each kind at least once in so many kills.
      await kill(moments[n % moments.length] ?? moments[0], usualMs, chance)
      counts.killed++
      if (isComplete() || versionOf('postgres') === null) counts['between two folders']++
      else if (versionOf('postgres') === '18') counts.after++
      else counts['before it was complete']++
    }
    await product.start()
    await account.logIn()
    expect(await keptMails(account, mailbox)).toEqual(before)
    expect([versionOf('postgres'), versionOf(`postgres-${OLDER}`)]).toEqual(['18', '17'])
    expect(existsSync(join(product.dataDir, 'postgres-next'))).toBe(false)
    expect(existsSync(join(product.dataDir, 'runtime', `postgres-${OLDER}`))).toBe(false)
    process.stdout.write(`${JSON.stringify({ ...counts, usualMs: Math.round(usualMs) })}\n`)
    expect(counts.killed).toBe(KILLS)
    // By chance: of a few, all may come after the same step.
    if (KILLS >= moments.length) expect(counts['before it was complete']).toBeGreaterThan(0)

    await goBack()

    const backups = join(product.dataDir, 'backups')
    const settings = { DATA_DIR: product.dataDir, BACKUP_KEY }
    expect(await operator(['backup', backups], settings)).toMatchObject({ code: 0 })
    expect(existsSync(join(product.dataDir, `postgres-${OLDER}`))).toBe(false)
  },
  120_000 + KILLS * 60_000,
)

/** As the page says, while nothing runs; and forward again. */
const goBack = async (): Promise<void> => {
  await product.kill()
  for (const block of commandsOf('upgrade', triedHere.upgrade[0]))
    execFileSync('sh', ['-e'], { input: block.replaceAll('/var/lib/mailstead', product.dataDir) })
  expect(versionOf('postgres')).toBe(String(OLDER))
  const inData = (name: string) => join(product.dataDir, name)
  renameSync(inData('postgres'), inData(`postgres-${OLDER}`))
  renameSync(inData('postgres-set-aside'), inData('postgres'))
  await product.start()
}

const checked = async (before: Map<string, Buffer[]>): Promise<void> => {
  await product.start()
  await account.logIn()
  expect(await keptMails(account, mailbox)).toEqual(before)
  await product.kill()
}
