/** The plans that PostgreSQL takes for what people do, as `auto_explain` writes them into its log: none reads a large table from end to end. */
import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Measured } from '../row.ts'
import { fileMails } from './file-mails.ts'
import type { Grown } from './installation.ts'
import { apiOf, pathsOf, someRecipients } from './measure-people.ts'
import { type Served, withDatabase, withProduct } from './with-grown.ts'

/** Rows of each grow with the mail. */
const LARGE_TABLES =
  'messages|message_texts|message_structures|conversations|folder_days|tombstones'
const SCANNED = new RegExp(`Seq Scan on (${LARGE_TABLES})\\b`)
const WATCHED = [
  "session_preload_libraries = 'auto_explain'",
  'auto_explain.log_min_duration = 0',
  'auto_explain.log_analyze = on',
  'auto_explain.log_buffers = on',
  'auto_explain.log_nested_statements = on',
]

/** Looks at each thing that is measured, and files some mail. */
export const measurePlans = async (dataDir: string, grown: Grown): Promise<Measured[]> => {
  await withDatabase(dataDir, ({ client }) => watchPlans(client, true))
  try {
    return await withProduct(dataDir, grown, lookAtPlans)
  } finally {
    await withDatabase(dataDir, ({ client }) => watchPlans(client, false))
    // A long one would be renamed, and the next one belong to who runs this.
    truncateSync(join(dataDir, 'postgres.log'))
  }
}

/** Before the product starts, because each connection decides when it begins. */
const watchPlans = async (client: pg.Client, isOn: boolean): Promise<void> => {
  // The settings of a library are known where it is loaded.
  await client.query("load 'auto_explain'")
  for (const setting of WATCHED)
    await client.query(`alter system ${isOn ? `set ${setting}` : `reset ${setting.split(' ')[0]}`}`)
}

const lookAtPlans = async ({ product, grown, client }: Served): Promise<Measured[]> => {
  const { get } = await apiOf(product)
  const log = join(product.dataDir, 'postgres.log')
  const from = statSync(log).size
  for (const box of [grown.large, grown.average])
    for (const [, path] of await pathsOf(get, box, 'order1x1'))
      for (let n = 0; n < 2; n++) await get(path)
  await fileMails(product.smtpPort, await someRecipients(client, 50), { count: 200 })
  const plans = readFileSync(log)
    .subarray(from)
    .toString()
    .split(/^(?=\S)/m)
  const explained = plans.filter((text) => text.includes('Query Text:'))
  if (explained.length === 0) throw new Error('no plan was written into the log')
  const scans = explained.filter((text) => SCANNED.test(text))
  for (const text of scans.slice(0, 5)) console.log(text.slice(0, 4_000))
  return [
    {
      what: `plans, of ${explained.length}, with a scan of a large table`,
      value: scans.length,
      unit: 'times',
      budget: null,
    },
  ]
}
