/** News of changes waits while a verb for many rows runs: each row announces itself, and the lists are read again once, at the end. */
let running = 0
let waiting: (() => void)[] = []

/** Returns what lets the news go on, and tells what has waited. */
export const holdNews = (): (() => void) => {
  running += 1
  return () => {
    running -= 1
    if (running > 0) return
    const told = waiting
    waiting = []
    for (const tell of told) tell()
  }
}

/** At once when no such verb runs. */
export const whenNewsGoOn = (tell: () => void): void => {
  if (running === 0) tell()
  else waiting.push(tell)
}
