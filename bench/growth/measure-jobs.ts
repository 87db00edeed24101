/** What the jobs of a day take after the same day in installations of different sizes. */
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { schedule } from '#server/jobs/runner.ts'
import { startApp } from '#server/start-app.ts'
import { connectionIn } from '#test-world/postgres/in-folder.ts'
import { ANY_PORT } from '#test-world/program.ts'
import { processorMs } from '../memory.ts'
import type { Measured } from '../row.ts'
import type { Grown } from './installation.ts'
import { liveADay, liveDaysBefore } from './live-a-day.ts'
import { timed } from './measure-people.ts'

export const DAY = { mailboxes: 2_000, flags: 8, deletes: 3 }
/** Shorter ones are told together. */
const WORTH_A_ROW_MS = 100
/** It looks at all there is. */
const MONTHLY = 'sweep-blobs'

export const measureJobs = async (dataDir: string, { mails }: Grown): Promise<Measured[]> => {
  const environment = {
    ...{ DATA_DIR: dataDir, MAIL_HOST: 'mail.example.net', MAIL_IPS: '127.0.0.1', ROLES: 'web' },
    ...{ ALLOW_LOOPBACK_PEERS: 'on', LOG_LEVEL: 'error', BILLING: 'off', ...ANY_PORT },
  }
  const running = await startApp(readConfig(environment, dataDir))
  const client = new pg.Client({ ...connectionIn(dataDir), database: 'mailstead' })
  await client.connect()
  try {
    const { app } = running
    await liveDaysBefore(client, { deletesADay: DAY.mailboxes * DAY.deletes, mails })
    const lived = await timed(() => liveADay({ db: app.db, client }, DAY))
    // Places are looked at a day later.
    await client.query(`update freed_blobs set at = at - interval '2 days'`)
    const rows: Measured[] = [
      { what: 'a day of changes', value: lived / 1000, unit: 's', budget: null },
    ]
    let [all, rest, work] = [0, 0, 0]
    for (const { name, run } of schedule.filter((job) => job.name !== MONTHLY)) {
      const before = processorMs([process.pid], dataDir)
      const took = await timed(() => run(app))
      work += processorMs([process.pid], dataDir) - before
      all += took
      if (took < WORTH_A_ROW_MS) rest += took
      else rows.push({ what: `job ${name}`, value: took, unit: 'ms', budget: null })
    }
    rows.push(
      { what: 'all other jobs, each once', value: rest, unit: 'ms', budget: null },
      { what: 'all jobs but the monthly one', value: all, unit: 'ms', budget: null },
      { what: '  processor', value: work, unit: 'ms', budget: null },
    )
    const monthly = schedule.find((job) => job.name === MONTHLY)
    const swept = await timed(async () => monthly?.run(app))
    rows.push({ what: 'the monthly sweep', value: swept / 1000, unit: 's', budget: null })
    return rows
  } finally {
    await client.end()
    await running.close()
    await rm(`${dataDir}/backups`, { recursive: true, force: true })
  }
}
