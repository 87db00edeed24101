/** VACUUM after a hundredth of the mail has changed: how long it takes, and what it reads for that. */
import type pg from 'pg'
import type { Measured } from '../row.ts'
import type { Grown } from './installation.ts'
import { liveADay } from './live-a-day.ts'
import { timed } from './measure-people.ts'
import type { Opened } from './with-grown.ts'

const TABLES = ['messages', 'message_texts', 'message_structures', 'conversations'] as const
const PAGE_BYTES = 8_192
const CHURN = { flags: 4, deletes: 1 }

export const measureVacuum = async (world: Opened, { mails }: Grown): Promise<Measured[]> => {
  const mailboxes = Math.ceil(mails / 100 / (CHURN.flags + CHURN.deletes))
  await liveADay(world, { mailboxes, ...CHURN })
  const rows: Measured[] = []
  for (const table of TABLES) rows.push(...(await vacuum(world.client, table)))
  return rows
}

const vacuum = async (client: pg.Client, table: string): Promise<Measured[]> => {
  const { rows } = await client.query<{ dead: number; bytes: number }>(
    `select n_dead_tup::float8 as dead, pg_indexes_size(relid)::float8 as bytes from pg_stat_user_tables where relname = $1`,
    [table],
  )
  const said: string[] = []
  const hear = ({ message = '' }: { message?: string | undefined }) => said.push(message)
  client.on('notice', hear)
  const took = await timed(() => client.query(`vacuum (verbose, analyze) ${table}`))
  client.off('notice', hear)
  const text = said.join('\n')
  const pages = /buffer usage: (\d+) hits, (\d+) reads, (\d+) dirtied/.exec(text)
  const looked = (Number(pages?.[1]) + Number(pages?.[2])) * PAGE_BYTES
  const scanned = /index scan needed/.test(text) ? (rows[0]?.bytes ?? 0) : 0
  return [
    {
      what: `VACUUM of ${table}, ${rows[0]?.dead ?? 0} dead rows`,
      ...{ value: took / 1000, unit: 's', budget: null },
    },
    { what: '  pages looked at', value: looked / 1e6, unit: 'MB', budget: null },
    { what: '  indexes that were scanned', value: scanned / 1e6, unit: 'MB', budget: null },
  ]
}
