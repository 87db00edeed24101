/**
 * A few threads, each with one job at a time, in turns among parties: who has a hundred jobs waits for themselves. A job that
 * keeps its thread busy for too long ends with it.
 */
import { openFairTurns } from '../turns/turns.ts'
import { openSharedThread } from './shared-thread.ts'

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
