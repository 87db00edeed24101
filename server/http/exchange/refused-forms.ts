/**
 * Counts refused forms without a session, by network. It protects the time of this process, so it counts in memory; limits
 * for all processes are in `features/limits/throttle`.
 */

import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, statusOf } from '#contract/errors.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { openLevels } from '#server/lib/turns/turns.ts'

const WINDOW_MS = 60_000
const REFUSAL_MS = 1_000
/** An office behind one address makes fewer mistakes. */
const USUAL_MOST = 300
/** Most networks that are remembered. */
const MAX_NETWORKS = 50_000

export type RefusedForms = {
  /** Call before the form is read. @throws TOO_MANY_REQUESTS, after a delay that slows repeated requests. */
  check(ip: string): Promise<void>
  /** Counts the answer of a form. */
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

/** Answers about an account or a link do not count: they have their own throttles. */
const isRefusedForm = (error: unknown): boolean =>
  error instanceof AppError && [400, 413, 415, 422].includes(statusOf(error.type))

export type DropPace = {
  /** Rate for the first `freeBytes`. */
  bytesPerMs: number
  freeBytes: number
  /** Rate beyond them, at which the free bytes also refill. */
  slowBytesPerMs: number
}

/** Free: the largest body that a person sends, and a part of the next. */
const USUAL: DropPace = { bytesPerMs: 12_000, freeBytes: 50_000_000, slowBytesPerMs: 2_000 }

/** Call with each dropped chunk. */
export type DropBytes = (
  ip: string,
  from: Pick<Readable, 'pause' | 'resume'>,
  bytes: number,
) => void

/**
 * A refused body is read to its end and dropped, since a client that is still sending would otherwise see a broken
 * connection instead of the answer. It uses no memory, but reading costs time: per network one large body is read at the
 * rate of a fast line, and the bytes beyond at the rate of a slow one. Faster bytes wait in the network.
 */
export const openRefusedBytes = ({
  bytesPerMs,
  freeBytes,
  slowBytesPerMs,
}: DropPace = USUAL): DropBytes => {
  const ahead = openLevels({ fallsPerSecond: bytesPerMs * 1000 })
  const spent = openLevels({ fallsPerSecond: slowBytesPerMs * 1000 })
  return (ip, from, bytes) => {
    const network = networkOf(ip)
    const goodMs = ahead.add(network, bytes) / bytesPerMs
    const slowMs = (spent.add(network, bytes) - freeBytes) / slowBytesPerMs
    from.pause()
    setTimeout(() => from.resume(), Math.max(goodMs, slowMs)).unref()
  }
}
