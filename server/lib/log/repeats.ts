/** Says a thing at once, and counts it while it repeats: one line for each interval that had more of it. */

export type Repeats = {
  /** `write` is told how often it happened since the line before: 1 at first. The last one given counts for its interval. */
  say(key: string, write: (times: number) => void): void
  /** What has been counted is written now. */
  flush(): void
}

export type RepeatOptions = { intervalMs?: number; mostKeys?: number }

/** `mostKeys` things are told apart; what is new beyond them is counted together. */
export const countRepeats = ({
  intervalMs = 60_000,
  mostKeys = 1_000,
}: RepeatOptions = {}): Repeats => {
  const open = new Map<string, { times: number; write: (times: number) => void; end: () => void }>()

  const begin = (key: string, write: (times: number) => void): void => {
    const timer = setTimeout(() => end(key), intervalMs).unref()
    open.set(key, { times: 0, write, end: () => clearTimeout(timer) })
  }
  const end = (key: string): void => {
    const counted = open.get(key)
    open.delete(key)
    if (!counted || counted.times === 0) return
    counted.write(counted.times)
    begin(key, counted.write)
  }

  return {
    say: (key, write) => {
      const isKnown = open.has(key)
      const at = isKnown || open.size < mostKeys ? key : 'others'
      const counted = open.get(at)
      if (counted) {
        counted.times += 1
        counted.write = write
        return
      }
      write(1)
      begin(at, write)
    },
    flush: () => {
      for (const [key, counted] of [...open]) {
        counted.end()
        open.delete(key)
        if (counted.times > 0) counted.write(counted.times)
      }
    },
  }
}
