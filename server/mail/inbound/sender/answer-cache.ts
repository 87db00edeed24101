/** DNS answers kept for a few seconds: a burst from one sender asks the same questions for every message. */
import type { App } from '#server/app.ts'

const KEEP_MS = 5_000
const MAX_ANSWERS = 2_000

type Resolver = (name: string, type: string) => Promise<string[]>
const caches = new WeakMap<App['dns'], Resolver>()

export const answerCache = (app: App): Resolver => {
  const known = caches.get(app.dns)
  if (known !== undefined) return known
  const answers = new Map<string, { answer: Promise<unknown[]>; until: number }>()
  const resolve = (name: string, type: string) => {
    const key = `${type} ${name.toLowerCase()}`
    const now = performance.now()
    const kept = answers.get(key)
    // mailauth's type says strings; for MX it takes what dns.promises.resolve answers.
    if (kept !== undefined && kept.until > now) return kept.answer as Promise<string[]>
    if (answers.size >= MAX_ANSWERS) answers.clear()
    const answer = app.dns.resolve(name, type)
    answers.set(key, { answer, until: now + KEEP_MS })
    return answer as Promise<string[]>
  }
  caches.set(app.dns, resolve)
  return resolve
}
