import { makeWorkerUtils } from 'graphile-worker'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { type Job, schedule, startJobs } from './runner.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

/** A job added earlier waits for the next poll, half a minute later. */
const isListening = async (): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'mailstead jobs'
      and query ilike 'listen%'`.execute(app.db)
  return rows.length > 0
}

/** Adds the job as the schedule does. */
const trigger = async (name: string): Promise<void> => {
  await expect.poll(isListening).toBe(true)
  const { user, password, host, database } = app.database.connection
  const at = `postgresql://${user}:${encodeURIComponent(String(password))}@${encodeURIComponent(String(host))}/${database}`
  const utils = await makeWorkerUtils({ connectionString: at, schema: 'jobs' })
  await utils.addJob(name, {})
  await utils.release()
}

const connections = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'mailstead jobs'`.execute(app.db)
  return rows[0]?.count ?? 0
}

const aJob = (name: string, run: Job['run']): Job => ({
  name,
  // Once a year: never during a test.
  cron: '0 0 31 12 *',
  run,
  catchUpHours: 0,
})

it('knows when everything is due, once among many processes', async () => {
  const jobs = [await startJobs(app), await startJobs(app)]
  const known = await sql<{ identifier: string }>`
    select identifier from jobs._private_known_crontabs order by identifier`.execute(app.db)
  expect(known.rows.map((row) => row.identifier)).toEqual(schedule.map((job) => job.name).sort())
  await Promise.all(jobs.map((one) => one.close()))
  await expect.poll(connections).toBe(0)
})

it('runs the feature of a job with the app', async () => {
  const { promise: ran, resolve } = Promise.withResolvers<unknown>()
  const jobs = await startJobs(app, [aJob('greet', async (given) => resolve(given))])
  await trigger('greet')
  expect(await ran).toBe(app)
  await jobs.close()
})

it('survives a job that fails, and runs the next', async () => {
  const { promise: ran, resolve } = Promise.withResolvers<void>()
  const jobs = await startJobs(app, [
    aJob('break', async () => {
      throw new Error('this job fails')
    }),
    aJob('go on', async () => resolve()),
  ])
  await trigger('break')
  await trigger('go on')
  await ran
  await jobs.close()
})

/** What the schedule missed in the last minutes is due at the start of the jobs. */
const missed = async (name: string): Promise<Job> => {
  const job = { ...aJob(name, async () => {}), cron: '* * * * *', catchUpHours: 1 }
  await (await startJobs(app, [job])).close()
  await sql`
    update jobs._private_known_crontabs set last_execution = now() - interval '5 minutes'
    where identifier = ${name}`.execute(app.db)
  return job
}

it('runs a job although the process that ran it before was killed', async () => {
  const job = await missed('killed')
  await sql`
    insert into jobs._private_job_queues (queue_name, locked_at, locked_by) values ('killed', now(), 'a dead worker')
    on conflict (queue_name) do update set locked_at = now(), locked_by = 'a dead worker'`.execute(
    app.db,
  )
  const { promise: ran, resolve } = Promise.withResolvers<unknown>()
  const jobs = await startJobs(app, [{ ...job, run: async (given) => resolve(given) }])
  expect(await ran).toBe(app)
  await jobs.close()
})

it('runs a job once at a time, also on two machines', async () => {
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const after = Promise.withResolvers<void>()
  let runs = 0
  const each = [
    aJob('alone', async () => {
      runs += 1
      started.resolve()
      await finish.promise
    }),
    aJob('after', async () => after.resolve()),
  ]
  const jobs = [await startJobs(app, each), await startJobs(app, each)]
  await trigger('alone')
  await started.promise
  await trigger('alone')
  // Both machines are free for it, so the one before it was taken too.
  await trigger('after')
  await after.promise
  await expect.poll(() => waitingJobs('alone')).toBe(1)
  finish.resolve()
  await Promise.all(jobs.map((one) => one.close()))
  expect(runs).toBe(1)
})

/** Also those that run. */
const waitingJobs = async (name: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs._private_jobs job
    join jobs._private_tasks task on task.id = job.task_id where task.identifier = ${name}`.execute(
    app.db,
  )
  return rows[0]?.count ?? 0
}

it('goes on after the database dropped its connections', async () => {
  const { promise: ran, resolve } = Promise.withResolvers<void>()
  const jobs = await startJobs(app, [aJob('recover', async () => resolve())])
  // Waits until the backends have ended: a dying one would pass for the connection that listens again.
  await sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and application_name = 'mailstead jobs'`.execute(app.db)
  await trigger('recover')
  await ran
  await jobs.close()
  await expect.poll(connections).toBe(0)
})

it('waits for the job under way when it stops', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let isFinished = false
  const jobs = await startJobs(app, [
    aJob('linger', async () => {
      started.resolve()
      await finish.promise
      isFinished = true
    }),
  ])
  await trigger('linger')
  await started.promise
  const closed = jobs.close()
  finish.resolve()
  await closed
  expect(isFinished).toBe(true)
  // PostgreSQL takes a moment to notice that a client disconnected.
  await expect.poll(connections).toBe(0)
})
