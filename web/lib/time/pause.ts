/** Waits; ends early when the browser is online again, or when it is told to stop. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    // Told before the wait began: no event will say so.
    const timer = setTimeout(end, signal.aborted ? 0 : ms)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
