/**
 * A body that was refused is read to its end and dropped, since a client that is still sending would otherwise see a broken
 * connection, not our answer. It holds nothing, but to read it costs time: a network has one large body in a while read at the
 * pace of a good line, and what it sends beyond that at the pace of a slow one. What comes faster waits in the network.
 */
import type { Readable } from 'node:stream'
import { networkOf } from '#server/features/auth/throttle.ts'
import { openLevels } from '#server/lib/turns/levels.ts'

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
