import { expect, test } from 'vitest'
import { openThreads, type ThreadOptions } from './threads.ts'

type Work = {
  say(word: string): Promise<string>
  ask(word: string, question: string): Promise<string>
  spin(): Promise<string>
  fail(): Promise<string>
  thread(): Promise<number>
}

const serve = new URL('./serve-jobs.ts', import.meta.url).href
/** A module that takes `loadMs` to load. */
const aModule = (loadMs: number) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { threadId } from 'node:worker_threads'
    import { serveJobs } from '${serve}'
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${loadMs})
    serveJobs((ask) => ({
      say: async (word) => word,
      ask: async (word, question) => word + ' ' + (await ask(question)),
      spin: async () => { while (true); },
      fail: async () => { throw new Error('no') },
      thread: async () => threadId,
    }))`)}`,
  )
const open = (options: Partial<ThreadOptions> = {}, loadMs = 0) =>
  openThreads<Work, string, string>(aModule(loadMs), { stallMs: 500, idleMs: 200, ...options })
/** One thread with many jobs at once. */
const openShared = (stallMs = 500) => open({ jobsOnEach: 8, jobsOfEachParty: 8, stallMs })

const none = () => ({ args: [] as [] })
const said = (word: string) => () => ({ args: [word] as [string] })
const asking =
  (word: string, question: string, answer: (question: string) => Promise<string>) => () => ({
    ...{ args: [word, question] as [string, string], answer },
  })

test('a job that waits for an answer does not keep the next one waiting', async () => {
  const asked = Promise.withResolvers<string>()
  const slow = Promise.withResolvers<string>()
  const threads = openShared()
  const answer = (question: string) => {
    asked.resolve(question)
    return slow.promise
  }
  const first = threads.run('us', 'ask', asking('one', 'what then?', answer))
  expect(await asked.promise).toBe('what then?')
  expect(await threads.run('us', 'say', said('two'))).toBe('two')
  slow.resolve('then this')
  expect(await first).toBe('one then this')
  expect(await threads.run('us', 'fail', none)).toBe(null)
})

test('each job asks its own caller', async () => {
  const threads = openShared()
  const both = ['one', 'two'].map((word) =>
    threads.run(
      'us',
      'ask',
      asking(word, 'who?', async () => word),
    ),
  )
  expect(await Promise.all(both)).toEqual(['one one', 'two two'])
})

test('a job that keeps the thread busy ends it, with all that were on it; the next one finds a new thread', async () => {
  const asked = Promise.withResolvers<void>()
  const threads = openShared()
  const innocent = threads.run(
    'us',
    'ask',
    asking('I wait', 'for whom?', () => {
      asked.resolve()
      return new Promise(() => {})
    }),
  )
  await asked.promise
  const guilty = threads.run('us', 'spin', none)
  expect(await Promise.all([innocent, guilty])).toEqual([null, null])
  expect(await threads.run('us', 'say', said('after it'))).toBe('after it')
})

test('a thread that was ended does not take the next one along', async () => {
  const threads = open({ idleMs: 60_000 })
  await threads.run('us', 'spin', none)
  const next = await threads.run('us', 'thread', none)
  // By then the old one is gone, which it says late.
  for (let i = 0; i < 20; i++) expect(await threads.run('us', 'thread', none)).toBe(next)
})

test('to wait for long is no stall', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const waiting = openShared(80).run(
    'us',
    'ask',
    asking('late', 'when?', () => promise),
  )
  setTimeout(() => resolve('now'), 400)
  expect(await waiting).toBe('late now')
})

test('bytes that are handed over arrive and are gone here', async () => {
  const bytes = new Uint8Array([1, 2, 3])
  const given = { args: ['took them', bytes] as unknown as [string], transfer: [bytes.buffer] }
  expect(await open().run('us', 'say', () => given)).toBe('took them')
  expect(bytes.length).toBe(0)
})

test('the time in which a thread loads its modules is not that of its first job', async () => {
  expect(await open({ stallMs: 400 }, 1_500).run('us', 'say', said('cold'))).toBe('cold')
})

test('a job that never ends is ended, and the next one finds a thread', async () => {
  const threads = open({ stallMs: 400 })
  const never = threads.run('us', 'spin', none)
  const next = threads.run('us', 'say', said('next'))
  expect(await never).toBe(null)
  expect(await next).toBe('next')
})

test('one party has one thread at a time, and another one does not wait for the rest of its jobs', async () => {
  const threads = open({ threads: 2, stallMs: 400 })
  const ended: string[] = []
  const run = async (by: string, work: 'spin' | 'thread') => {
    await threads.run(by, work, none)
    ended.push(by)
  }
  const theirs = [run('them', 'spin'), run('them', 'spin'), run('them', 'spin')]
  await run('us', 'thread')
  expect(ended).toEqual(['us'])
  await Promise.all(theirs)
})
