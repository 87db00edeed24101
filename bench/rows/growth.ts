/**
 * The same mailboxes and the same day in installations of growing size. `npm run bench -- growth --steps=200000,1000000` names the
 * sizes, `--mailboxes=` how many there are; `--folder=` keeps what was loaded there and takes it at the next run, and
 * `--only=people,jobs` measures a part. What is measured changes the installation a little: mail comes, and some is deleted.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Grown, growInstallation } from '../growth/installation.ts'
import { measureEnds } from '../growth/measure-ends.ts'
import { measureJobs } from '../growth/measure-jobs.ts'
import { measurePartitions } from '../growth/measure-partitions.ts'
import { measurePeople } from '../growth/measure-people.ts'
import { measureVacuum } from '../growth/measure-vacuum.ts'
import { measurePlans } from '../growth/plans.ts'
import { withDatabase, withProduct } from '../growth/with-grown.ts'
import { aFolder } from '../product.ts'
import type { Bench, Measured } from '../row.ts'

const STEPS = '200000,1000000,10000000'
const MAILBOXES = '20000'
const PARTS = 'people,plans,jobs,vacuum,ends,partitions'

const given = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      ...{ steps: { type: 'string', default: STEPS } },
      ...{ mailboxes: { type: 'string', default: MAILBOXES } },
      ...{ folder: { type: 'string' }, only: { type: 'string', default: PARTS } },
    },
  }).values

export const growth: Bench = {
  name: 'growth',
  isLong: true,
  run: async () => {
    const { steps, mailboxes, folder, only } = given()
    const rows: Measured[] = []
    for (const step of steps.split(',')) {
      const made = folder === undefined ? aFolder() : null
      const dataDir = made?.dataDir ?? join(folder ?? '', step)
      mkdirSync(dataDir, { recursive: true })
      try {
        const size = { mails: Number(step), mailboxes: Number(mailboxes) }
        const grown = await growInstallation(dataDir, size)
        for (const part of only.split(',')) {
          console.log(`  ${step} mails: ${part}`)
          const measured = await parts(part)(dataDir, grown)
          for (const { what, value, unit } of measured)
            console.log(`    ${what}: ${value?.toFixed(2)} ${unit}`)
          rows.push(...measured.map((row) => ({ ...row, what: `${step}: ${row.what}` })))
        }
      } finally {
        made?.remove()
      }
    }
    return rows
  },
}

type Part = (dataDir: string, grown: Grown) => Promise<Measured[]>

const parts = (name: string): Part => {
  const found = partsByName.get(name)
  if (!found) throw new Error(`'${name}' is none of ${PARTS}`)
  return found
}

const partsByName = new Map<string, Part>([
  ['people', (dataDir, grown) => withProduct(dataDir, grown, measurePeople)],
  ['plans', measurePlans],
  ['jobs', measureJobs],
  ['vacuum', (dataDir, grown) => withDatabase(dataDir, (opened) => measureVacuum(opened, grown))],
  ['partitions', (dataDir) => withDatabase(dataDir, measurePartitions)],
  ['ends', (dataDir, grown) => withProduct(dataDir, grown, measureEnds)],
])
