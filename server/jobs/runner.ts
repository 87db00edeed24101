/** Runs the schedule on graphile-worker. Among many processes each job is started by one. */
import type { LogLevel, Runner } from 'graphile-worker'
import pg from 'pg'
import type { App } from '#server/app.ts'
import { type Job, schedule } from './schedule.ts'

const SCHEMA = 'jobs'
const RESTART_AFTER_MS = 1_000
const STOP_WITHIN_MS = 5_000

export const startJobs = async (
  app: App,
  jobs: readonly Job[] = schedule,
): Promise<{ close(): Promise<void> }> => {
  const log = app.log.child({ door: 'jobs' })
  // One connection listens, one claims jobs, one writes the schedule.
  const pool = new pg.Pool({
    ...app.connection,
    max: 3,
    connectionTimeoutMillis: 5_000,
    application_name: 'mailstead jobs',
  })
  const onBroken = (error: Error) => log.warn({ err: error }, 'a connection of the jobs broke')
  pool.on('error', onBroken)
  // While a connection is lent out, its own errors would end the process.
  pool.on('connect', (client) => client.on('error', onBroken))
  let isClosed = false
  let restart: NodeJS.Timeout | null = null
  let running: Runner

  /** graphile-worker gives up when it cannot tell the database how a job ended; the jobs go on later. */
  const startAgain = (error?: unknown) => {
    if (isClosed) return
    log.warn({ err: error }, 'the jobs stopped; they start again soon')
    restart = setTimeout(() => start().catch(startAgain), RESTART_AFTER_MS)
  }

  const start = async () => {
    running = await run(app, pool, jobs)
    if (isClosed) await stopSoon(running)
    running.promise.then(() => startAgain(), startAgain)
  }

  try {
    await start()
  } catch (error) {
    await pool.end()
    throw error
  }
  return {
    close: async () => {
      isClosed = true
      if (restart !== null) clearTimeout(restart)
      await stopSoon(running)
      await pool.end()
    },
  }
}

const run = async (app: App, pgPool: pg.Pool, jobs: readonly Job[]): Promise<Runner> => {
  // Loaded here: only processes with the role `worker` pay for it.
  const { Logger, parseCronItems, run } = await import('graphile-worker')
  return run({
    pgPool,
    schema: SCHEMA,
    concurrency: 2,
    noHandleSignals: true,
    // New jobs are notified; polling is for those that are tried again.
    pollInterval: 30_000,
    logger: new Logger(() => (level, message, meta) => {
      app.log[levels[level]]({ door: 'jobs', err: meta.error }, message)
    }),
    taskList: Object.fromEntries(jobs.map((job) => [job.name, () => runJob(app, job)])),
    parsedCronItems: parseCronItems(
      jobs.map(({ name, cron, catchUpHours }) => ({
        task: name,
        match: cron,
        options: {
          backfillPeriod: catchUpHours * 60 * 60 * 1000,
          maxAttempts: catchUpHours === 0 ? 1 : 5,
          // Never twice at once, and a failed one makes room for the next.
          queueName: name,
          jobKey: name,
        },
      })),
    ),
  })
}

const runJob = async (app: App, job: Job): Promise<void> => {
  await job.run(app)
}

const levels = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
} as const satisfies Record<LogLevel, string>

/** Jobs under way may finish; one that takes too long is handed back, to be run again. */
const stopSoon = async (runner: Runner): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const stopped = runner.stop().catch(() => {})
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), STOP_WITHIN_MS)
  })
  if ((await Promise.race([stopped, late])) === 'late') await runner.kill()
  clearTimeout(timer)
}
