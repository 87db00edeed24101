/** Measures the budgets of the design, one installation after another, and prints each value with its budget. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { type Bench, type Measured, ratioOf } from './row.ts'
import { apiReads } from './rows/api-reads.ts'
import { backup } from './rows/backup.ts'
import { blobsInBucket } from './rows/blobs-in-bucket.ts'
import { deliveriesOut } from './rows/deliveries-out.ts'
import { dnsChecks } from './rows/dns-checks.ts'
import { firstActions } from './rows/first-actions.ts'
import { generate } from './rows/generate.ts'
import { growth } from './rows/growth.ts'
import { idleConnections } from './rows/idle-connections.ts'
import { imap } from './rows/imap.ts'
import { inbox } from './rows/inbox.ts'
import { large } from './rows/large.ts'
import { manyProcesses } from './rows/many-processes.ts'
import { openedMails } from './rows/opened-mails.ts'
import { pages } from './rows/pages.ts'
import { smtpAccept } from './rows/smtp-accept.ts'
import { start } from './rows/start.ts'
import { worst } from './rows/worst.ts'

const benches: Bench[] = [
  start,
  apiReads,
  dnsChecks,
  generate,
  smtpAccept,
  blobsInBucket,
  idleConnections,
  deliveriesOut,
  pages,
  firstActions,
  inbox,
  worst,
  openedMails,
  imap,
  manyProcesses,
  backup,
  large,
  growth,
]
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = benches.filter(({ name, isLong = false }) =>
  wanted.length === 0 ? !isLong : wanted.some((part) => name.includes(part)),
)
if (chosen.length === 0)
  throw new Error(`'${wanted.join(' ')}' is none of ${benches.map(({ name }) => name).join(', ')}`)

const rows: Measured[] = []
for (const { name, run } of chosen) {
  console.log(`measuring ${name} ...`)
  rows.push(...(await run()))
}

const shown = (value: number | null, unit: string): string => {
  if (value === null) return 'not installed'
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`
}
const table = rows.map((row) => [
  row.what,
  shown(row.value, row.unit),
  row.budget === null ? '' : `${row.budget} ${row.unit}`,
  ratioOf(row)?.toFixed(2) ?? '',
])
const lines = [['what', 'value', 'budget', 'used'], ...table]
const widths = [0, 1, 2, 3].map((column) =>
  Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
)
for (const cells of lines)
  console.log(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))

mkdirSync('.build', { recursive: true })
const machine = { cpus: cpus().length, memoryBytes: totalmem(), node: process.version }
writeFileSync(
  '.build/bench.json',
  JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2),
)
const over = rows.filter((row) => (ratioOf(row) ?? 0) > 1)
console.log(
  over.length === 0 ? 'every row is within its budget' : `${over.length} over their budget`,
)
