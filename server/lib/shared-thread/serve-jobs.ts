/** The other end of a shared thread, to be called by the module that runs on it. */
import { parentPort } from 'node:worker_threads'
import { sweepBuffers } from '../sweep-buffers.ts'

export type ToThread<Job, Answer> =
  | { id: number; job: Job }
  | { ask: number; answer: Answer }
  | 'are you there?'

export type FromThread<Result, Question> =
  | { id: number; result: Result | null }
  | { ask: number; question: Question }
  | 'yes'

/**
 * `work` may ask as often as it likes. What it throws makes its result null. Buffers that `handOver` finds in a result are not
 * copied on their way.
 */
export const serveJobs = <Job, Result, Question, Answer>(
  work: (job: Job, ask: (question: Question) => Promise<Answer>) => Promise<Result>,
  handOver: (result: Result) => ArrayBuffer[] = () => [],
): void => {
  sweepBuffers()
  const waiting = new Map<number, (answer: Answer) => void>()
  let lastAsk = 0
  const say = (said: FromThread<Result, Question>, transfer: ArrayBuffer[] = []) =>
    parentPort?.postMessage(said, transfer)
  const ask = (question: Question) =>
    new Promise<Answer>((hear) => {
      waiting.set(++lastAsk, hear)
      say({ ask: lastAsk, question })
    })
  parentPort?.on('message', (said: ToThread<Job, Answer>) => {
    if (said === 'are you there?') say('yes')
    else if ('ask' in said) {
      waiting.get(said.ask)?.(said.answer)
      waiting.delete(said.ask)
    } else
      work(said.job, ask).then(
        (result) => say({ id: said.id, result }, handOver(result)),
        () => say({ id: said.id, result: null }),
      )
  })
  say('yes')
}
