/** Work that can hold the event loop, done on other threads with a time limit: what takes longer is stopped. */
import { Worker } from 'node:worker_threads'

export type ThreadOptions = {
  /** Threads at the same time; further jobs wait. */
  max: number
  /** Of one job, waiting aside. */
  limitMs: number
  /** A thread without work ends after this time. It never keeps the process running. */
  idleMs: number
}

export type Threads<Job, Result> = {
  /** null when it took too long, too much memory, or failed. Buffers in `transfer` are gone for the caller. */
  run(job: Job, transfer?: readonly ArrayBuffer[]): Promise<Result | null>
}

type Task<Job, Result> = {
  job: Job
  transfer: readonly ArrayBuffer[]
  settle(result: Result | null): void
}
type Rested = { worker: Worker; timer: NodeJS.Timeout }

/** @param module answers each message of its parentPort with one message. */
export const openThreads = <Job, Result>(
  module: URL,
  { max, limitMs, idleMs }: ThreadOptions,
): Threads<Job, Result> => {
  const waiting: Task<Job, Result>[] = []
  const rested = new Set<Rested>()
  let busy = 0

  const next = (): void => {
    if (busy >= max) return
    const task = waiting.shift()
    if (task === undefined) return
    busy += 1
    const [idle] = rested
    if (idle !== undefined) {
      rested.delete(idle)
      clearTimeout(idle.timer)
    }
    start(idle?.worker ?? new Worker(module), task)
  }

  const start = (worker: Worker, { job, transfer, settle }: Task<Job, Result>): void => {
    const end = (result: Result | null, isUsable: boolean) => {
      clearTimeout(timer)
      // Not removeAllListeners: the worker hears of its messages through one of its own.
      worker.off('message', answered).off('error', failed).off('exit', failed)
      busy -= 1
      if (isUsable) rest(worker)
      else stop(worker)
      settle(result)
      next()
    }
    const timer = setTimeout(() => end(null, false), limitMs)
    const answered = (result: Result) => end(result, true)
    const failed = () => end(null, false)
    worker.once('message', answered).once('error', failed).once('exit', failed)
    worker.ref()
    worker.postMessage(job, [...transfer])
  }

  const rest = (worker: Worker): void => {
    worker.unref()
    const idle: Rested = {
      worker,
      timer: setTimeout(() => {
        rested.delete(idle)
        stop(worker)
      }, idleMs).unref(),
    }
    rested.add(idle)
  }

  return {
    run: (job, transfer = []) =>
      new Promise((settle) => {
        waiting.push({ job, transfer, settle })
        next()
      }),
  }
}

const stop = (worker: Worker): void => {
  // Without a listener its last error would end the process.
  worker.on('error', () => {})
  void worker.terminate()
}
