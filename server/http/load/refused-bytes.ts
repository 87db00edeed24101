/**
 * A body that was refused is read to its end and dropped, since a client that is still sending would otherwise see a broken
 * connection, not our answer. It holds nothing, but to read it costs time: a network has it read at the pace of a good line,
 * and what comes faster waits in the network.
 */
import type { Readable } from 'node:stream'
import { networkOf } from '#server/features/auth/throttle.ts'
import { openLevels } from '#server/lib/turns/levels.ts'

const BYTES_PER_MS = 12_000

/** To be called with each piece that is dropped. */
export type DropBytes = (
  ip: string,
  from: Pick<Readable, 'pause' | 'resume'>,
  bytes: number,
) => void

export const openRefusedBytes = (bytesPerMs = BYTES_PER_MS): DropBytes => {
  const ahead = openLevels({ fallsPerSecond: bytesPerMs * 1000 })
  return (ip, from, bytes) => {
    const waitMs = ahead.add(networkOf(ip), bytes) / bytesPerMs
    from.pause()
    setTimeout(() => from.resume(), waitMs).unref()
  }
}
