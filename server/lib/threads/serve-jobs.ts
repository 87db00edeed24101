/** The thread's side of `openThreads`, to be called by the module that runs on it. */
import { parentPort } from 'node:worker_threads'
import { sweepBuffers } from '../sweep-buffers.ts'
import { ownBuffers } from './own-buffers.ts'

/** Each by its name. Arguments and results are copied on their way, and a Buffer arrives as a Uint8Array. */
export type Jobs = Record<string, (...args: never[]) => Promise<unknown>>

export type ToThread =
  | { id: number; name: string; args: readonly unknown[] }
  | { ask: number; answer: unknown }
  | 'are you there?'

export type FromThread =
  | { id: number; result: unknown }
  | { id: number; ask: number; question: unknown }
  | 'yes'

/**
 * `jobs` are made for one job each, which may ask its caller as often as it likes. What a job throws makes its result null.
 * Bytes in a result are handed over.
 */
export const serveJobs = <Question, Answer>(
  jobs: (ask: (question: Question) => Promise<Answer>) => Jobs,
): void => {
  sweepBuffers()
  const waiting = new Map<number, (answer: Answer) => void>()
  let lastAsk = 0
  const say = (said: FromThread, transfer: ArrayBuffer[] = []) =>
    parentPort?.postMessage(said, transfer)
  const work = async (id: number, name: string, args: readonly unknown[]) => {
    const ask = (question: Question) =>
      new Promise<Answer>((hear) => {
        waiting.set(++lastAsk, hear)
        say({ id, ask: lastAsk, question })
      })
    return jobs(ask)[name]?.(...(args as never[]))
  }
  parentPort?.on('message', (said: ToThread) => {
    if (said === 'are you there?') say('yes')
    else if ('ask' in said) {
      waiting.get(said.ask)?.(said.answer as Answer)
      waiting.delete(said.ask)
    } else
      work(said.id, said.name, said.args).then(
        (result) => say({ id: said.id, result }, ownBuffers(bytesIn(result))),
        () => say({ id: said.id, result: null }),
      )
  })
  say('yes')
}

const MOST_DEPTH = 1

/** In the result itself, its fields, or those of a list. */
const bytesIn = (result: unknown, depth = 0): Uint8Array[] => {
  if (result instanceof Uint8Array) return [result]
  if (typeof result !== 'object' || result === null || depth > MOST_DEPTH) return []
  return Object.values(result).flatMap((value) => bytesIn(value, depth + 1))
}
