import { setTimeout as wait } from 'node:timers/promises'

const LONGEST_MS = 180_000
const ANSWER_MS = 2_000

/** @throws when it takes longer than three minutes */
export const soon = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  if (!(await within(LONGEST_MS, isTrue))) throw new Error(`${what} was not there in time`)
}

/** Whether it came true. */
export const within = async (ms: number, isTrue: () => Promise<boolean>): Promise<boolean> => {
  for (const until = Date.now() + ms; Date.now() < until; await wait(250))
    if (await isTrue()) return true
  return false
}

/** With a success. */
export const isAnswering = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.ok
    },
    () => false,
  )
