/** Waiting that ends: for work no longer than a time, and between tries longer each time. To wait alone is `node:timers/promises`. */

/** The result of `work`, or `otherwise` after `giveUpAtMs`; the work continues, and its result is ignored. */
export const within = async <T, const U>(
  giveUpAtMs: number,
  work: Promise<T> | T,
  otherwise: U,
): Promise<T | U> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<U>((done) => {
    timer = setTimeout(() => done(otherwise), Math.max(0, giveUpAtMs - Date.now()))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

export type Sleep = {
  /** false: it was ended before. */
  for(ms: number): Promise<boolean>
  end(): void
}

/** A wait that something else may end, one at a time. `ref` false: no process goes on for it. */
export const newSleep = ({ ref = true } = {}): Sleep => {
  let end = () => {}
  return {
    end: () => end(),
    for: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(true), ms)
        if (!ref) timer.unref()
        end = () => {
          clearTimeout(timer)
          resolve(false)
        }
      }),
  }
}

export type Backoff = { first: number; longest: number; factor?: number }

/** The wait after so many tries that failed, 1 for the first; in the unit of `first` and `longest`. */
export const backoff = (failures: number, { first, longest, factor = 2 }: Backoff): number =>
  Math.min(first * factor ** Math.max(0, failures - 1), longest)
