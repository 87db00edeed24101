/**
 * Updates an installation of many mails (1,000,000 by default) from before decisions 086 to 088, and says how long it took, what
 * was slower meanwhile, and whether a mail was lost. Every twentieth mail has a file of its own, which moves; the others share one,
 * because a million files take hours to write.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { aProduct, NO_BRAKES } from '#test-world/product.ts'
import { openLayout } from '#test-world/trials/store/layout.ts'
import { logIn } from '../../bench/product.ts'
import { EMAIL, PASSWORD } from '../../bench/sample.ts'
import { startLoad } from './load.ts'
import { anOldInstallation, migrateInSteps, withDatabase } from './old-installation.ts'

const CALM_MS = 15_000
const AT_ONCE = 8
const TOKEN_MS = 5 * 60_000

const count = Number(process.argv[2] ?? 1_000_000)
if (!Number.isSafeInteger(count) || count <= 0) throw new Error('how many mails?')
const dataDir = mkdtempSync(join(tmpdir(), 'mailstead-soak-'))
const rows: [what: string, value: number | string][] = [['mails of before', count]]
const { old, took } = await withDatabase(dataDir, async (db) => {
  const made = await anOldInstallation(db, dataDir, count)
  return { old: made, took: await migrateInSteps(db) }
})
rows.push(['  of them with a file of their own', old.own.size])
for (const [name, seconds] of took) rows.push([`migration ${name} (s)`, seconds.toFixed(2)])

const startedAt = performance.now()
const product = await aProduct({ DATA_DIR: dataDir, BILLING: 'off', ...NO_BRAKES })
rows.push(['then from start to ready (s)', seconds(startedAt)])
const get = aReader(product.url)
const box = `/mailboxes/${old.mailbox.id}`
const list = `${box}/conversations?folder=inbox&limit=50`
const load = startLoad({ smtpPort: product.smtpPort, email: old.mailbox.email, list, get }, 2)

const layout = await openLayout(dataDir)
const calmUntil = performance.now() + CALM_MS
const calm = await load.measure(() => performance.now() > calmUntil)
const look = () => layout.look([old.mailbox.id], [])
const movedFrom = performance.now()
await layout.startSweep()
while (!(await look()).isSweeping) await wait(1)
const busy = await load.measure(async () => !(await look()).isSweeping)
rows.push(['these files moved into segments in (s)', seconds(movedFrom)])
rows.push(['  and did not move', (await look()).files - (count - old.own.size)])
const after = performance.now() + CALM_MS
const again = await load.measure(() => performance.now() > after)
const faults = await load.stop()
for (const [when, figures] of [
  ['before the move', calm],
  ['during the move', busy],
  ['after it', again],
] as const)
  rows.push(
    [`${when}: mails a second`, figures.mailsPerSecond],
    [`  a mail waits for its 250 (ms, half and 99 of 100)`, figures.mailMs.join(' ')],
    [`  a list waits (ms, half and 99 of 100)`, figures.listMs.join(' ')],
  )
rows.push(['mails with a 250 meanwhile', load.acknowledged.size])

faults.push(...(await lost()))
rows.push(['lost or changed mails', faults.length])
await layout.close()
await product.close()

const wide = Math.max(...rows.map(([what]) => what.length))
for (const [what, value] of rows) console.log(`${what.padEnd(wide)}  ${String(value).padStart(10)}`)
for (const fault of faults.slice(0, 20)) console.log(fault)
mkdirSync('.build', { recursive: true })
writeFileSync('.build/soak-migration.json', JSON.stringify({ rows, faults }, null, 2))
process.exitCode = faults.length === 0 ? 0 : 1

function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(2)
}

/** Reads by the API every mail with a file of its own, one of the others, and searches each mail that came meanwhile. */
async function lost(): Promise<string[]> {
  const wrong: string[] = []
  const ids = await layout.idsIn(old.mailbox.id)
  const isThere = new Set(ids)
  const came = ids.length - count
  if (came < load.acknowledged.size || came > load.begun.size)
    wrong.push(`${ids.length} mails are there, ${count} and ${load.acknowledged.size} were filed`)
  const other = ids.find((id) => !old.own.has(id)) ?? ''
  await each([...old.own, [other, old.shared] as const], async ([id, raw]) => {
    const response = await get(`${box}/messages/${id}/raw`)
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!isThere.has(id) || !bytes.equals(raw)) wrong.push(`${id} is not as it was`)
  })
  await each([...load.acknowledged], async ({ subject, words }) => {
    const response = await get(`${box}/search?q=${encodeURIComponent(words.join(' '))}`)
    const { items } = (await response.json()) as { items: { subject: string }[] }
    if (items.length !== 1 || items[0]?.subject !== subject)
      wrong.push(`'${subject}' is found ${items.length} times`)
  })
  return wrong
}

/** An access token ends after ten minutes. */
function aReader(url: string): (path: string) => Promise<Response> {
  let token: Promise<string> | null = null
  let until = 0
  return async (path) => {
    if (token === null || performance.now() > until) {
      token = logIn(url, EMAIL, PASSWORD)
      until = performance.now() + TOKEN_MS
    }
    return fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${await token}` } })
  }
}

async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values()
  const work = async () => {
    for (const one of waiting) await act(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
