/** Reports when this process has to stop: on a signal, or when its npm has ended. */

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** One Ctrl+C may send several signals: from the terminal, and again from npm. A later signal exits at once. */
const SAME_SIGNAL_MS = 1_000

/** npm runs us through a shell; a SIGTERM to npm ends the shell without a signal to us. */
const shellOfNpm = process.env.npm_lifecycle_event === undefined ? null : process.ppid

/**
 * @param {(signal: string) => void} stop asks for a clean end, once
 * @param {() => void} end on a repeated signal, or when the stop takes longer than `withinMs`
 * @returns {() => void} removes the listeners
 */
export const onStop = (stop, end, withinMs) => {
  let stoppedAt = 0
  let timer
  const requestStop = (signal) => {
    if (stoppedAt !== 0) {
      if (Date.now() - stoppedAt > SAME_SIGNAL_MS) end()
      return
    }
    stoppedAt = Date.now()
    timer = setTimeout(end, withinMs)
    stop(signal)
  }
  for (const signal of signals) process.on(signal, requestStop)
  const watch = setInterval(() => {
    if (shellOfNpm === null || process.ppid === shellOfNpm) return
    clearInterval(watch)
    // Stops watching after a signal: the shell's end must not count as a second one.
    if (stoppedAt === 0) requestStop('SIGTERM')
  }, 500)
  watch.unref()
  return () => {
    for (const signal of signals) process.off(signal, requestStop)
    clearInterval(watch)
    clearTimeout(timer)
  }
}
