import { reasonOf, StartError } from '#server/lib/ports/bound-ports.ts'

const STOP_WITHIN_MS = 10_000
/** One Ctrl+C may arrive several times. A later one insists. */
const SAME_SIGNAL_MS = 1_000

/** What has to be closed at the end, and the signal that the end has come. */
export type Run = { undo: AsyncDisposableStack; stop: AbortSignal }

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs until Ctrl+C, closes everything, newest first, and ends the process. */
export const runUntilStopped = async (start: (run: Run) => Promise<void>): Promise<never> => {
  const stopping = new AbortController()
  const stopped = Promise.withResolvers<void>()
  let toldAt = 0
  const stop = (error?: Error) => {
    if (error) stopped.reject(error)
    else stopped.resolve()
    if (toldAt !== 0) return
    toldAt = Date.now()
    say('Stopping ...')
    stopping.abort()
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  }
  const hear = () => {
    // What is left then is removed by the next demo.
    if (toldAt !== 0 && Date.now() - toldAt > SAME_SIGNAL_MS) process.exit(1)
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear)
  process.on('uncaughtException', stop)
  // Whoever read what we say has gone; the demo goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const undo = new AsyncDisposableStack()
  let failure: Error | null = null
  try {
    await start({ undo, stop: stopping.signal })
    await stopped.promise
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
