/**
 * A thread that does many jobs at once, because most of the time they wait for answers, which it asks us for. Work that
 * keeps it busy for too long ends it, and with it every job on it: whoever gave them finds out which of them it was (decision 041).
 */
import { Worker } from 'node:worker_threads'
import { openFairTurns } from '../turns/turns.ts'
import type { FromThread, ToThread } from './serve-jobs.ts'

export type SharedThreadOptions<Question, Answer> = {
  answer: (question: Question) => Promise<Answer>
  /** So long it may not hear us. */
  stallMs: number
  /** Without work it ends after this time. It never keeps the process running. */
  idleMs: number
  /** What needs more ends it. */
  maxHeapMb?: number
}

export type SharedThread<Job, Result> = {
  /** null when the thread was ended, by this job or another one, or the job failed. Buffers in `transfer` are gone for the caller. */
  run(job: Job, transfer?: readonly ArrayBuffer[]): Promise<Result | null>
}

type Running<Job, Result> = {
  begin(job: Job, transfer: readonly ArrayBuffer[], settle: (result: Result | null) => void): void
}

/** Times that we ask whether it still hears us, before it is ended: several, so that a busy computer does not count as a stall. */
const CALLS = 8
/** To load its modules. */
const START_MS = 30_000
const MAX_HEAP_MB = 512
/** Left to itself, a thread keeps a hundred megabytes for what it made last: new objects are swept in small steps. */
const YOUNG_MB = 12

/** @param module serves its jobs with `serveJobs`. */
export const openSharedThread = <Job, Result, Question, Answer>(
  module: URL,
  options: SharedThreadOptions<Question, Answer>,
): SharedThread<Job, Result> => {
  let running: Running<Job, Result> | null = null
  const forget = () => {
    running = null
  }
  return {
    run: (job, transfer = []) =>
      new Promise((settle) => {
        running ??= start<Job, Result, Question, Answer>(module, options, forget)
        running.begin(job, transfer, settle)
      }),
  }
}

const start = <Job, Result, Question, Answer>(
  module: URL,
  { answer, stallMs, idleMs, maxHeapMb = MAX_HEAP_MB }: SharedThreadOptions<Question, Answer>,
  onEnd: () => void,
): Running<Job, Result> => {
  const worker = new Worker(module, {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: maxHeapMb },
  })
  const say = (said: ToThread<Job, Answer>, transfer: readonly ArrayBuffer[] = []) =>
    worker.postMessage(said, [...transfer])
  const open = new Map<number, (result: Result | null) => void>()
  let lastId = 0
  let unheard = 0
  let mayBeUnheard = Math.ceil((START_MS * CALLS) / stallMs)
  let idle: NodeJS.Timeout | undefined

  const end = () => {
    onEnd()
    clearInterval(calls)
    clearTimeout(idle)
    // Without a listener its last error would end the process.
    worker.removeAllListeners('message').on('error', () => {})
    void worker.terminate()
    for (const settle of open.values()) settle(null)
    open.clear()
  }
  const calls = setInterval(() => {
    if (open.size === 0) return
    if (unheard++ < mayBeUnheard) say('are you there?')
    else end()
  }, stallMs / CALLS).unref()
  const settled = (id: number, result: Result | null) => {
    open.get(id)?.(result)
    open.delete(id)
    if (open.size > 0) return
    worker.unref()
    idle = setTimeout(end, idleMs).unref()
  }
  worker.on('error', end).on('exit', end)
  worker.on('message', (said: FromThread<Result, Question>) => {
    unheard = 0
    mayBeUnheard = CALLS
    if (said === 'yes') return
    if ('question' in said)
      void answer(said.question).then((known) => say({ ask: said.ask, answer: known }))
    else settled(said.id, said.result)
  })
  return {
    begin: (job, transfer, settle) => {
      clearTimeout(idle)
      // While nobody waited, nobody called.
      if (open.size === 0) unheard = 0
      open.set(++lastId, settle)
      worker.ref()
      say({ id: lastId, job }, transfer)
    },
  }
}

/**
 * A few threads, each with one job at a time, in turns among parties: who has a hundred jobs waits for themselves. A job that
 * keeps its thread busy for too long ends with it.
 */
export type FairThreads<Job, Result> = {
  /** null when it took too long, too much memory, or failed. `make` is called when its turn has come. */
  run(
    by: string,
    make: () => { job: Job; transfer?: readonly ArrayBuffer[] },
  ): Promise<Result | null>
}

/** @param module serves its jobs with `serveJobs`, and asks nothing. */
export const openFairThreads = <Job, Result>(
  module: URL,
  { threads, stallMs, idleMs }: { threads: number; stallMs: number; idleMs: number },
): FairThreads<Job, Result> => {
  const answer = () => Promise.reject(new Error('these threads ask nothing'))
  const free = Array.from({ length: threads }, () =>
    openSharedThread<Job, Result, never, never>(module, { answer, stallMs, idleMs }),
  )
  const turns = openFairTurns({ atOnce: threads, atOnceOfEach: 1 })
  return {
    run: (by, make) =>
      turns.take(by, async () => {
        // The last that worked: it has its modules loaded.
        const thread = free.pop()
        if (thread === undefined) throw new Error('more jobs than threads')
        try {
          const { job, transfer } = make()
          return await thread.run(job, transfer)
        } finally {
          free.push(thread)
        }
      }),
  }
}
