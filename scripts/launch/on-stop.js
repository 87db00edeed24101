/** Tells when this process is to stop: by a signal, or because the npm around it has gone. */

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** One Ctrl+C may arrive several times: from the terminal, and again from npm. A later one insists. */
const SAME_SIGNAL_MS = 1_000

/** npm runs us through a shell, and a SIGTERM for npm ends the shell without a word to us. */
const shellOfNpm = process.env.npm_lifecycle_event === undefined ? null : process.ppid

/**
 * @param {(signal: string) => void} stop asks for a clean end, once
 * @param {() => void} end when somebody insists, or when nothing has ended after `withinMs`
 * @returns {() => void} stops listening
 */
export const onStop = (stop, end, withinMs) => {
  let toldAt = 0
  let timer
  const tell = (signal) => {
    if (toldAt !== 0) {
      if (Date.now() - toldAt > SAME_SIGNAL_MS) end()
      return
    }
    toldAt = Date.now()
    timer = setTimeout(end, withinMs)
    stop(signal)
  }
  for (const signal of signals) process.on(signal, tell)
  const watch = setInterval(() => {
    if (shellOfNpm === null || process.ppid === shellOfNpm) return
    clearInterval(watch)
    // After a signal it goes too: nobody insists.
    if (toldAt === 0) tell('SIGTERM')
  }, 500)
  watch.unref()
  return () => {
    for (const signal of signals) process.off(signal, tell)
    clearInterval(watch)
    clearTimeout(timer)
  }
}
