import { endSurely } from '#server/lib/end-surely.ts'
import { reasonOf, StartError } from '#server/lib/ports/bound-ports.ts'

const STOP_WITHIN_MS = 10_000
/** One Ctrl+C may send several signals. A later signal exits at once. */
const SAME_SIGNAL_MS = 1_000

/** `undo` closes everything at the end; `stop` is aborted when the end begins. */
export type Run = { undo: AsyncDisposableStack; stop: AbortSignal }

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs until Ctrl+C, closes everything in reverse order, and exits. */
export const runUntilStopped = async (start: (run: Run) => Promise<void>): Promise<never> => {
  endSurely()
  const stopping = new AbortController()
  const stopRequest = Promise.withResolvers<void>()
  let stoppingSince = 0
  const stop = (error?: Error) => {
    if (error) stopRequest.reject(error)
    else stopRequest.resolve()
    if (stoppingSince !== 0) return
    stoppingSince = Date.now()
    say('Stopping ...')
    stopping.abort()
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  }
  const onSignal = () => {
    // The next demo removes what is left.
    if (stoppingSince !== 0 && Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('uncaughtException', stop)
  // The reader of our output has gone; the demo continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const undo = new AsyncDisposableStack()
  let failure: Error | null = null
  try {
    await start({ undo, stop: stopping.signal })
    await stopRequest.promise
  } catch (error) {
    if (error !== stopping.signal.reason) failure = error as Error
  }
  await undo.disposeAsync()
  if (failure !== null) {
    const isPlain = failure instanceof StartError
    process.stderr.write(`${isPlain ? failure.message : `The demo failed: ${reasonOf(failure)}`}\n`)
  }
  process.exit(failure === null ? 0 : 1)
}
