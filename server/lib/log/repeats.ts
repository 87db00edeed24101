/** Writes a line at once and counts its repetitions: one more line for each interval that had any. */

export type Repeats = {
  /** `write` gets the number of occurrences since the previous line: 1 at first. The last `write` of an interval is used. */
  say(key: string, write: (times: number) => void): void
  /** Writes the pending counts now. */
  flush(): void
}

export type RepeatOptions = { intervalMs?: number; mostKeys?: number }

/** At most `mostKeys` keys are counted separately; further keys are counted together. */
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
