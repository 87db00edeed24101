/** DNS answers kept for a few seconds: a burst from one sender asks the same questions for every message. */
import type { App } from '#server/app.ts'

const KEEP_MS = 5_000
const MAX_ANSWERS = 2_000

export type Resolve = (name: string, type: string) => Promise<unknown[]>
/** mailauth's type says strings; for MX it takes what dns.promises.resolve answers. */
export type Resolver = (name: string, type: string) => Promise<string[]>

export const rememberAnswers = (resolve: Resolve): Resolver => {
  const answers = new Map<string, { answer: Promise<unknown[]>; until: number }>()
  return (name, type) => {
    const key = `${type} ${name.toLowerCase()}`
    const now = performance.now()
    const kept = answers.get(key)
    if (kept !== undefined && kept.until > now) return kept.answer as Promise<string[]>
    if (answers.size >= MAX_ANSWERS) answers.clear()
    const answer = resolve(name, type)
    answers.set(key, { answer, until: now + KEEP_MS })
    return answer as Promise<string[]>
  }
}

const caches = new WeakMap<App['dns'], Resolver>()

export const answerCache = ({ dns }: App): Resolver => {
  const resolve = caches.get(dns) ?? rememberAnswers((name, type) => dns.resolve(name, type))
  caches.set(dns, resolve)
  return resolve
}
