/** Runs the schedule on graphile-worker. Among several processes, one runs each job. */
import { setTimeout as wait } from 'node:timers/promises'
import type { LogLevel, Runner } from 'graphile-worker'
import pg from 'pg'
import type { App } from '#server/app.ts'
import { purgeExpired } from '#server/features/accounts/purge-expired.ts'
import { purgeAuditLog } from '#server/features/audit/list-audit-log.ts'
import { verifyWhenAsked } from '#server/features/backups/ask-for-backup.ts'
import { backUpDaily } from '#server/features/backups/make-backup.ts'
import { purgeRestores } from '#server/features/backups/restore-workspace.ts'
import { followUnpaid } from '#server/features/billing/follow-unpaid.ts'
import { invoiceMonth } from '#server/features/billing/invoices.ts'
import {
  fetchMissedEvents,
  purgeStripeEvents,
} from '#server/features/billing/stripe/take-events.ts'
import { purgeLinks } from '#server/features/checks/links.ts'
import { mailDomainAlerts } from '#server/features/checks/mail-alerts.ts'
import { settleOwnership } from '#server/features/checks/settle-ownership.ts'
import { endDueDeletions } from '#server/features/deletions/end-deleted.ts'
import { purgeExports } from '#server/features/exports/run-exports.ts'
import { purgeGreylist } from '#server/features/junk/greylist.ts'
import { purgeSenderList } from '#server/features/junk/sender-list.ts'
import { purgeAnswers } from '#server/features/limits/answer-once.ts'
import { purgeAccessLinks } from '#server/features/mailboxes/access/access-links.ts'
import { sweepBlobs, sweepFreed } from '#server/features/messages/blobs/sweep-blobs.ts'
import { purgeTombstones } from '#server/features/messages/change-log/purge-tombstones.ts'
import { purgeChanges } from '#server/features/messages/change-messages.ts'
import { readAgain } from '#server/features/messages/read-again.ts'
import { purgeAnnouncements } from '#server/features/operating/announcements/announcements.ts'
import { endDueAccounts } from '#server/features/operating/leaving/leave-account.ts'
import { purgeMailLog } from '#server/features/operating/mail-log/store-mail-log.ts'
import { purgeOutbox } from '#server/features/outbox/enqueue-message.ts'
import { purgeBrakes } from '#server/features/sending/get-sending.ts'
import { purgeWriting } from '#server/features/sending/save-draft.ts'
import { mailOperatorStops } from '#server/features/sending/stops/operator-stop.ts'
import { purgeTransfers } from '#server/features/transfer/run-imports.ts'
import { purgeVacations } from '#server/features/vacation/edit-vacation.ts'
import { purgeEvents, switchOffFull } from '#server/features/webhooks/deliver-events.ts'
import { purgeInvitations } from '#server/features/workspaces/invitations.ts'
import { NOTICE_DEATH } from '#server/lib/notice-death.ts'
import { JOB_CONNECTIONS, JOBS_AT_ONCE } from '#server/lib/turns/job-places.ts'
import { within } from '#server/lib/wait.ts'

const SCHEMA = 'jobs'
const RESTART_AFTER_MS = 1_000
const STOP_WITHIN_MS = 5_000

export type Job = {
  name: string
  /** Minute, hour, day, month, weekday. */
  cron: string
  run: (app: App) => Promise<unknown>
  /** Hours within which a missed run is made up for at the next start. */
  catchUpHours: number
}

/** The time of each job, in UTC; features say what it does. A job may run twice, or on two machines at once. */
export const schedule: readonly Job[] = [
  { name: 'settle-ownership', cron: '* * * * *', run: settleOwnership, catchUpHours: 0 },
  { name: 'mail-domain-alerts', cron: '* * * * *', run: mailDomainAlerts, catchUpHours: 0 },
  { name: 'end-deletions', cron: '* * * * *', run: endDueDeletions, catchUpHours: 0 },
  { name: 'back-up', cron: '* * * * *', run: backUpDaily, catchUpHours: 0 },
  { name: 'verify-backup', cron: '* * * * *', run: verifyWhenAsked, catchUpHours: 0 },
  { name: 'read-again', cron: '* * * * *', run: readAgain, catchUpHours: 0 },
  { name: 'purge-expired', cron: '7 * * * *', run: purgeExpired, catchUpHours: 1 },
  { name: 'purge-answers', cron: '17 * * * *', run: purgeAnswers, catchUpHours: 1 },
  { name: 'purge-invitations', cron: '27 2 * * *', run: purgeInvitations, catchUpHours: 24 },
  { name: 'purge-dns-links', cron: '32 2 * * *', run: purgeLinks, catchUpHours: 24 },
  { name: 'purge-access-links', cron: '34 2 * * *', run: purgeAccessLinks, catchUpHours: 24 },
  { name: 'purge-outbox', cron: '37 2 * * *', run: purgeOutbox, catchUpHours: 24 },
  { name: 'mail-operator-stops', cron: '* * * * *', run: mailOperatorStops, catchUpHours: 0 },
  { name: 'switch-off-full-webhooks', cron: '* * * * *', run: switchOffFull, catchUpHours: 0 },
  { name: 'purge-webhook-events', cron: '33 * * * *', run: purgeEvents, catchUpHours: 1 },
  { name: 'purge-announcements', cron: '44 * * * *', run: purgeAnnouncements, catchUpHours: 1 },
  { name: 'purge-mail-log', cron: '47 * * * *', run: purgeMailLog, catchUpHours: 1 },
  { name: 'end-accounts', cron: '32 * * * *', run: endDueAccounts, catchUpHours: 1 },
  { name: 'purge-audit-log', cron: '52 3 * * *', run: purgeAuditLog, catchUpHours: 24 },
  { name: 'purge-sender-list', cron: '43 * * * *', run: purgeSenderList, catchUpHours: 1 },
  { name: 'purge-greylist', cron: '42 * * * *', run: purgeGreylist, catchUpHours: 1 },
  { name: 'purge-brakes', cron: '52 * * * *', run: purgeBrakes, catchUpHours: 1 },
  { name: 'purge-changes', cron: '2 * * * *', run: purgeChanges, catchUpHours: 1 },
  { name: 'purge-tombstones', cron: '22 3 * * *', run: purgeTombstones, catchUpHours: 24 },
  { name: 'purge-vacations', cron: '47 2 * * *', run: purgeVacations, catchUpHours: 24 },
  { name: 'purge-writing', cron: '57 2 * * *', run: purgeWriting, catchUpHours: 24 },
  { name: 'purge-transfers', cron: '57 2 * * *', run: purgeTransfers, catchUpHours: 24 },
  { name: 'purge-exports', cron: '37 * * * *', run: purgeExports, catchUpHours: 1 },
  { name: 'purge-restores', cron: '12 3 * * *', run: purgeRestores, catchUpHours: 24 },
  { name: 'fetch-missed-events', cron: '32 4 * * *', run: fetchMissedEvents, catchUpHours: 24 },
  { name: 'purge-stripe-events', cron: '52 3 * * *', run: purgeStripeEvents, catchUpHours: 24 },
  { name: 'sweep-freed-blobs', cron: '17 3 * * *', run: sweepFreed, catchUpHours: 24 },
  { name: 'sweep-blobs', cron: '17 4 1 * *', run: sweepBlobs, catchUpHours: 7 * 24 },
  // Daily, although invoices are monthly: does nothing unless the first of the month was missed.
  { name: 'invoice-month', cron: '12 0 * * *', run: invoiceMonth, catchUpHours: 24 },
  { name: 'follow-unpaid', cron: '22 6 * * *', run: followUnpaid, catchUpHours: 24 },
]

export const startJobs = async (
  app: App,
  jobs: readonly Job[] = schedule,
): Promise<{ close(): Promise<void> }> => {
  const log = app.log.child({ door: 'jobs' })
  const pool = new pg.Pool({
    ...app.connection,
    max: JOB_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    application_name: 'mailstead jobs',
    // They hold the locks of running jobs.
    onConnect: (client) => client.query(NOTICE_DEATH),
  })
  const onBroken = (error: Error) => log.warn({ err: error }, 'a connection of the jobs broke')
  pool.on('error', onBroken)
  // Without this listener, an error of a checked-out connection would end the process.
  pool.on('connect', (client) => client.on('error', onBroken))
  let isClosed = false
  let restart: NodeJS.Timeout | null = null
  let running: Runner

  /** graphile-worker stops when it cannot report a finished job to the database; a restart continues the jobs. */
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
      await within(Date.now() + STOP_WITHIN_MS, served(pool), null)
      await pool.end()
    },
  }
}

const run = async (app: App, pgPool: pg.Pool, jobs: readonly Job[]): Promise<Runner> => {
  // Imported here, so that only processes with the role `worker` load it.
  const { Logger, parseCronItems, run } = await import('graphile-worker')
  return run({
    pgPool,
    schema: SCHEMA,
    concurrency: JOBS_AT_ONCE,
    noHandleSignals: true,
    // New jobs are notified; polling is only for retries.
    pollInterval: 30_000,
    logger: new Logger(() => (level, message, meta) => {
      app.log[levels[level]]({ door: 'jobs', err: meta.error }, message)
    }),
    taskList: Object.fromEntries(jobs.map((job) => [job.name, () => runJob(app, pgPool, job)])),
    parsedCronItems: parseCronItems(
      jobs.map(({ name, cron, catchUpHours }) => ({
        task: name,
        match: cron,
        options: {
          backfillPeriod: catchUpHours * 60 * 60 * 1000,
          maxAttempts: catchUpHours === 0 ? 1 : 5,
          // A failed job is replaced by the next.
          jobKey: name,
        },
      })),
    ),
  })
}

/** The first key of the locks, an arbitrary number, the same in all versions; the second is the name of the job. */
const RUNNING_JOBS = 20_260_003

/**
 * Never twice at once: while it runs elsewhere, this run is left out. The lock ends with its session. That of a queue of
 * graphile-worker would outlive a killed process by four hours.
 */
const runJob = async (app: App, pool: pg.Pool, { name, run }: Job): Promise<void> => {
  const holder = await pool.connect()
  const key = [RUNNING_JOBS, name]
  let isOurs = false
  try {
    const { rows } = await holder.query<{ isOurs: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as "isOurs"',
      key,
    )
    isOurs = rows[0]?.isOurs === true
    if (!isOurs) return
    await run(app)
    app.counters.add('jobs', { job: name, result: 'done' })
  } catch (error) {
    if (isOurs) app.counters.add('jobs', { job: name, result: 'failed' })
    throw error
  } finally {
    // What could not be unlocked ends with its session.
    const unlock = 'select pg_advisory_unlock($1, hashtext($2))'
    const broken = isOurs && (await holder.query(unlock, key).catch((error: Error) => error))
    holder.release(broken instanceof Error ? broken : undefined)
  }
}

const levels = {
  error: 'error',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
} as const satisfies Record<LogLevel, string>

/** A pool that ends never answers who still waits for a connection, as graphile-worker may to report its last job. */
const served = async (pool: pg.Pool): Promise<void> => {
  while (pool.waitingCount > 0) await wait(5)
}

/** Lets running jobs finish; after the timeout they are released to run again. */
const stopSoon = async (runner: Runner): Promise<void> => {
  const stopped = runner.stop().catch(() => {})
  if ((await within(Date.now() + STOP_WITHIN_MS, stopped, 'late')) === 'late') await runner.kill()
}
