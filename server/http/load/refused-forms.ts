/**
 * Forms of strangers that were refused, by network. It saves the time of this process, so it counts in memory: what must hold
 * for all processes is counted by `features/auth/throttle`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, statusOf } from '#contract/errors.ts'
import { networkOf } from '#server/features/auth/throttle.ts'

const WINDOW_MS = 60_000
const REFUSAL_MS = 1_000
/** An office behind one address mistypes less. */
const USUAL_MOST = 300
/** Networks that are remembered. */
const MAX_NETWORKS = 50_000

export type RefusedForms = {
  /** Before the form is read. @throws TOO_MANY_REQUESTS, after a while: who asks again and again does it no faster. */
  check(ip: string): Promise<void>
  /** What a form was answered with. */
  note(ip: string, error: unknown): void
}

export const openRefusedForms = (most = USUAL_MOST): RefusedForms => {
  let counts = new Map<string, number>()
  let endsAt = 0
  const turnWindow = () => {
    const now = performance.now()
    if (now < endsAt && counts.size < MAX_NETWORKS) return
    counts = new Map()
    endsAt = now + WINDOW_MS
  }
  return {
    check: async (ip) => {
      turnWindow()
      if ((counts.get(networkOf(ip)) ?? 0) < most) return
      await wait(REFUSAL_MS, undefined, { ref: false })
      const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1000))
      throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds })
    },
    note: (ip, error) => {
      if (!isRefusedForm(error)) return
      turnWindow()
      counts.set(networkOf(ip), (counts.get(networkOf(ip)) ?? 0) + 1)
    },
  }
}

/** Not what is told of an account or a link, which has throttles of its own. */
const isRefusedForm = (error: unknown): boolean =>
  error instanceof AppError && [400, 413, 415, 422].includes(statusOf(error.type))
