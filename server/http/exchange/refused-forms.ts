/**
 * Forms of strangers that were refused, by network. It saves the time of this process, so it counts in memory: what must hold
 * for all processes is counted by `features/auth/throttle`.
 */

import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, statusOf } from '#contract/errors.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { openLevels } from '#server/lib/turns/turns.ts'

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

export type DropPace = {
  /** Of the first `freeBytes`. */
  bytesPerMs: number
  freeBytes: number
  /** Of what comes beyond; the free ones come back as fast. */
  slowBytesPerMs: number
}

/** Free is the largest body that a person sends, and some of the next. */
const USUAL: DropPace = { bytesPerMs: 12_000, freeBytes: 50_000_000, slowBytesPerMs: 2_000 }

/** To be called with each piece that is dropped. */
export type DropBytes = (
  ip: string,
  from: Pick<Readable, 'pause' | 'resume'>,
  bytes: number,
) => void

/**
 * A body that was refused is read to its end and dropped, since a client that is still sending would otherwise see a broken
 * connection, not our answer. It holds nothing, but to read it costs time: a network has one large body in a while read at the
 * pace of a good line, and what it sends beyond that at the pace of a slow one. What comes faster waits in the network.
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
