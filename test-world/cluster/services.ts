/** What people notice of a failure: each of them asks again and again, and the times of their successes say how long they waited. */
import { setTimeout as wait } from 'node:timers/promises'

export const SERVICES = ['SMTP accepts', 'web reads', 'web sends', 'IMAP reads'] as const
export type Service = (typeof SERVICES)[number]

export type Person = {
  service: Service
  /** Of the successes (milliseconds, performance.now). */
  times: number[]
  /** What else they were answered, and how often. */
  refusals: Map<string, number>
  /** When they have gone. */
  gone: Promise<void>
}

const PAUSE_MS = 400
const AGAIN_MS = 150
/** Whoever hears nothing for so long tries anew. */
const PATIENCE_MS = 5_000

/** `attempt` fails unless it got all that it asked for. */
export const aPerson = (
  service: Service,
  attempt: () => Promise<void>,
  isOver: () => boolean,
): Person => {
  const times: number[] = []
  const refusals = new Map<string, number>()
  const live = async () => {
    while (!isOver()) {
      try {
        await attempt()
        times.push(performance.now())
        await wait(PAUSE_MS)
      } catch (error) {
        const text = String(error).split('\n', 1)[0]?.slice(0, 80) ?? ''
        refusals.set(text, (refusals.get(text) ?? 0) + 1)
        await wait(AGAIN_MS)
      }
    }
  }
  return { service, times, refusals, gone: live() }
}

/** @throws when it takes longer than somebody waits */
export const withPatience = async <T>(asked: Promise<T>): Promise<T> => {
  const stop = new AbortController()
  const end = wait(PATIENCE_MS, null, { signal: stop.signal }).then(() => {
    throw new Error('no answer for five seconds')
  })
  // Only one of them is waited for.
  for (const each of [asked, end]) each.catch(() => {})
  try {
    return await Promise.race([asked, end])
  } finally {
    stop.abort()
  }
}

/** The longest that one of them waited for a success after `from` and before `until`, when something else dies, in seconds. */
export const longestGap = (
  people: readonly Person[],
  service: Service,
  { from, until, endedAt }: { from: number; until: number; endedAt: number },
): number => {
  const ofOne = ({ times }: Person) =>
    [...times.slice(1), endedAt].map((next, at) => {
      const last = times[at] ?? 0
      return Math.max(0, Math.min(next, until) - Math.max(last, from))
    })
  const of = people.filter((person) => person.service === service)
  return Math.max(0, ...of.flatMap(ofOne)) / 1000
}

/** What each service answered instead, and how often. */
export const refusalsOf = (people: readonly Person[]): string[] => {
  const times = new Map<string, number>()
  for (const { service, refusals } of people)
    for (const [text, count] of refusals) {
      const line = `${service}: ${text}`
      times.set(line, (times.get(line) ?? 0) + count)
    }
  return [...times].map(([line, count]) => `${line} (${count} times)`).toSorted()
}
