/**
 * Threads for work that may take too long, because strangers wrote what it reads. A thread that does not answer is ended, with
 * all jobs on it; their callers learn that, and may give each again alone (decisions 029, 041 and 053).
 */
import { Worker } from 'node:worker_threads'
import { openFairTurns } from '../turns/turns.ts'
import type { FromThread, Jobs, ToThread } from './serve-jobs.ts'

export type ThreadOptions = {
  /** 1 when absent. */
  threads?: number
  /** Jobs on each thread at once: many where most of them wait for answers. 1 when absent. */
  jobsOnEach?: number
  /** Jobs of one party at once, so that a party with a hundred jobs does not block others. 1 when absent. */
  jobsOfEachParty?: number
  /** A thread is ended when it does not answer for this long. The time in which it loads its modules does not count. */
  stallMs: number
  /** Ends after this time without work. It never keeps the process running. */
  idleMs: number
  /** A job that needs more ends the thread. */
  maxHeapMb?: number
}

export type Given<Args, Question, Answer> = {
  args: Args
  /** Buffers that move to the thread; the caller can no longer use them. */
  transfer?: readonly ArrayBuffer[]
  /** Answers questions of the job. */
  answer?: (question: Question) => Promise<Answer>
}

export type Threads<Work extends Jobs, Question = never, Answer = never> = {
  /**
   * Returns null when the job failed, or when the thread was ended by this or another job. `make` is called when it is the
   * party's turn.
   */
  run<Name extends keyof Work & string>(
    party: string,
    name: Name,
    make: () => Given<Parameters<Work[Name]>, Question, Answer>,
  ): Promise<Awaited<ReturnType<Work[Name]>> | null>
}

type AnyGiven = Given<readonly unknown[], never, unknown>
type Job = { settle(result: unknown): void; answer?: (question: never) => Promise<unknown> }
type Thread = { run(name: string, given: AnyGiven): Promise<unknown> }

/** Pings before the thread is ended: several, so that a busy machine does not count as a stall. */
const CALLS = 8
/** Time for loading the modules. */
const START_MS = 30_000
const MAX_HEAP_MB = 512
/** Without a limit a thread keeps a hundred megabytes of new objects: with this they are collected in small steps. */
const YOUNG_MB = 12

/** @param module serves its jobs with `serveJobs`. */
export const openThreads = <Work extends Jobs, Question = never, Answer = never>(
  module: URL,
  options: ThreadOptions,
): Threads<Work, Question, Answer> => {
  const { threads = 1, jobsOnEach = 1, jobsOfEachParty = 1 } = options
  const turns = openFairTurns({ atOnce: threads * jobsOnEach, atOnceOfEach: jobsOfEachParty })
  const opened = Array.from({ length: threads }, () => openThread(module, options))
  /** A thread stands here once for each job that it can take. */
  const free = Array.from({ length: jobsOnEach }, () => opened).flat()
  const run = (party: string, name: string, make: () => AnyGiven) =>
    turns.take(party, async () => {
      // The last one that worked: its modules are loaded.
      const thread = free.pop()
      if (thread === undefined) throw new Error('more jobs than threads')
      try {
        return await thread.run(name, make())
      } finally {
        free.push(thread)
      }
    })
  // Messages of a thread are untyped; the type parameter names the jobs of its module.
  return { run } as Threads<Work, Question, Answer>
}

/** Started by its first job, and again by the first one after its end. */
const openThread = (module: URL, options: ThreadOptions): Thread => {
  let running: Thread | null = null
  const forget = () => {
    running = null
  }
  return {
    run: (name, given) => {
      running ??= startThread(module, options, forget)
      return running.run(name, given)
    },
  }
}

const startThread = (
  module: URL,
  { stallMs, idleMs, maxHeapMb = MAX_HEAP_MB }: ThreadOptions,
  onEnd: () => void,
): Thread => {
  const worker = new Worker(module, {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: maxHeapMb },
  })
  const say = (said: ToThread, transfer: readonly ArrayBuffer[] = []) =>
    worker.postMessage(said, [...transfer])
  const jobs = new Map<number, Job>()
  let lastId = 0
  let unheard = 0
  let mayBeUnheard = Math.ceil((START_MS * CALLS) / stallMs)
  let idle: NodeJS.Timeout | undefined

  const end = () => {
    onEnd()
    clearInterval(calls)
    clearTimeout(idle)
    // Without a listener its last error would end the process.
    worker.removeAllListeners().on('error', () => {})
    void worker.terminate()
    for (const { settle } of jobs.values()) settle(null)
    jobs.clear()
  }
  const calls = setInterval(() => {
    if (jobs.size === 0) return
    if (unheard++ < mayBeUnheard) say('are you there?')
    else end()
  }, stallMs / CALLS).unref()
  const settled = (id: number, result: unknown) => {
    jobs.get(id)?.settle(result)
    jobs.delete(id)
    if (jobs.size > 0) return
    worker.unref()
    idle = setTimeout(end, idleMs).unref()
  }
  worker.on('error', end).on('exit', end)
  worker.on('message', (said: FromThread) => {
    unheard = 0
    mayBeUnheard = CALLS
    if (said === 'yes') return
    if ('result' in said) return settled(said.id, said.result)
    const asked = jobs.get(said.id)?.answer?.(said.question as never)
    void asked?.then((answer) => say({ ask: said.ask, answer }))
  })
  return {
    run: (name, { args, transfer, answer }) =>
      new Promise((settle) => {
        clearTimeout(idle)
        // Without a job the thread was not pinged.
        if (jobs.size === 0) unheard = 0
        jobs.set(++lastId, { settle, ...(answer && { answer }) })
        worker.ref()
        say({ id: lastId, name, args }, transfer)
      }),
  }
}
