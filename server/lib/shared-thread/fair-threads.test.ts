import { expect, test } from 'vitest'
import { openFairThreads } from './shared-thread.ts'

type Job = { say: string; spin?: boolean }

const serve = new URL('./serve-jobs.ts', import.meta.url).href
/** Its modules take `loadMs` to load. */
const aModule = (loadMs: number) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { serveJobs } from '${serve}'
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${loadMs})
    serveJobs(async ({ say, spin }) => {
      while (spin);
      return say
    })`)}`,
  )
const open = (threads: number, loadMs = 0) =>
  openFairThreads<Job, string>(aModule(loadMs), { threads, stallMs: 400, idleMs: 200 })

test('the time in which a thread loads its modules is not that of its first job', async () => {
  expect(await open(1, 1_500).run('us', () => ({ job: { say: 'cold' } }))).toBe('cold')
})

test('a job that never ends is ended, and the next one finds a thread', async () => {
  const threads = open(1)
  const never = threads.run('us', () => ({ job: { say: 'never', spin: true } }))
  const next = threads.run('us', () => ({ job: { say: 'next' } }))
  expect(await never).toBe(null)
  expect(await next).toBe('next')
})

test('one party has one thread at a time, and another one does not wait for the rest of its jobs', async () => {
  const threads = open(2)
  const ended: string[] = []
  const run = async (by: string, spin = false) => {
    await threads.run(by, () => ({ job: { say: by, spin } }))
    ended.push(by)
  }
  const theirs = [run('them', true), run('them', true), run('them', true)]
  await run('us')
  expect(ended).toEqual(['us'])
  await Promise.all(theirs)
})
