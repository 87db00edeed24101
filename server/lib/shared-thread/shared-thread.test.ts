import { expect, test } from 'vitest'
import { openSharedThread } from './shared-thread.ts'

type Job = { say: string; ask?: string; spin?: boolean; fail?: boolean }

const serve = new URL('./serve-jobs.ts', import.meta.url).href
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { serveJobs } from '${serve}'
  serveJobs(async ({ say, ask, spin, fail }, put) => {
    while (spin);
    if (fail) throw new Error('no')
    return ask === undefined ? say : say + ' ' + await put(ask)
  })`)}`,
)

const open = (answer: (question: string) => Promise<string>, stallMs = 500) =>
  openSharedThread<Job, string, string, string>(module, { answer, stallMs, idleMs: 200 })

test('a job that waits for an answer does not keep the next one waiting', async () => {
  const asked = Promise.withResolvers<string>()
  const slow = Promise.withResolvers<string>()
  const thread = open((question) => {
    asked.resolve(question)
    return slow.promise
  })
  const first = thread.run({ say: 'one', ask: 'what then?' })
  expect(await asked.promise).toBe('what then?')
  expect(await thread.run({ say: 'two' })).toBe('two')
  slow.resolve('then this')
  expect(await first).toBe('one then this')
  expect(await thread.run({ say: 'three', fail: true })).toBe(null)
})

test('a job that keeps the thread busy ends it, with all that were on it; the next one finds a new thread', async () => {
  const never = new Promise<string>(() => {})
  const asked = Promise.withResolvers<void>()
  const thread = open(() => {
    asked.resolve()
    return never
  })
  const innocent = thread.run({ say: 'I wait', ask: 'for whom?' })
  await asked.promise
  const guilty = thread.run({ say: 'never', spin: true })
  expect(await Promise.all([innocent, guilty])).toEqual([null, null])
  expect(await thread.run({ say: 'after it' })).toBe('after it')
})

test('to wait for long is no stall', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const thread = open(() => promise, 80)
  const waiting = thread.run({ say: 'late', ask: 'when?' })
  setTimeout(() => resolve('now'), 400)
  expect(await waiting).toBe('late now')
})

test('bytes that are handed over arrive and are gone here', async () => {
  const thread = open(async () => '')
  const bytes = new Uint8Array([1, 2, 3])
  const job = { say: 'took them', bytes }
  expect(await thread.run(job, [bytes.buffer])).toBe('took them')
  expect(bytes.length).toBe(0)
})
