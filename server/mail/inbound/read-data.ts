/** Receives the bytes between DATA and the final dot. smtp-server ends them only at CRLF.CRLF. */

import { join } from 'node:path'
import type { SMTPServerDataStream } from 'smtp-server'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import type { App } from '#server/app.ts'
import { type FairTurns, openFairTurns, TooManyWaiting } from '#server/lib/turns/turns.ts'
import { headerGauge, refusalOfHeader } from './check-message.ts'
import {
  clearHeldMail,
  type HeldMail,
  holdMail,
  openSharedPot,
  type Party,
  type Pots,
} from './held-mail.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

export type DataLimits = {
  /** The limits of all simultaneously arriving messages. */
  memoryBytes: number
  diskBytes: number
  /** The interval for measuring the pace of a message. */
  paceMs: number
  /** In DATA_DIR, for large messages; emptied at the start. */
  folder: string
}
const LIMITS: DataLimits = {
  ...{ memoryBytes: 64_000_000, diskBytes: 1_000_000_000, paceMs: 60_000, folder: 'arriving' },
}
/** Every usable connection is faster; while room is scarce, slow clients must make room for others. */
const SLOWEST_BYTES_PER_SECOND = 500
const SLOWEST_WHEN_SCARCE = 10_000

/** Simultaneous writes of large messages: a fast client waits for its own, and leaves the process to others. */
const WRITING = { atOnce: 4, atOnceOfEach: 1 }
/** A large message is in memory several times while it is parsed and stored. */
const LARGE_AT_ONCE = { atOnce: 3, atOnceOfEach: 2, waitingOfEach: 20 }

export type Arriving = {
  network: string
  /** The workspaces of the recipients. */
  workspaceIds: readonly string[]
  /** Ends the connection because it is too slow. */
  cut(): void
}

export type DataReader = {
  /**
   * Passes the whole message to `use`. Always reads the stream to its end, because SMTP answers only there; a refused message is
   * not held. @throws SmtpRefusal when it is too large or its sender has too much in transit, an Error when the client
   * disconnected
   */
  withData<T>(
    stream: SMTPServerDataStream,
    arriving: Arriving,
    use: (raw: Buffer) => Promise<T>,
  ): Promise<T>
}

export const openDataReader = async (
  { config }: Pick<App, 'config'>,
  given: Partial<DataLimits> = {},
): Promise<DataReader> => {
  const limits = { ...LIMITS, ...given }
  const pots: Pots = {
    folder: join(config.dataDir, limits.folder),
    memory: openSharedPot(limits.memoryBytes),
    disk: openSharedPot(limits.diskBytes),
  }
  const large = openFairTurns(LARGE_AT_ONCE)
  const writing = openFairTurns(WRITING)
  await clearHeldMail(pots.folder)
  return {
    withData: async (stream, arriving, use) => {
      const { network, workspaceIds } = arriving
      const sender: Party = { kind: 'network', name: network, timesFree: 1 }
      // Higher, so that one network cannot use up the share of a workspace.
      const share = { kind: 'workspace' as const, timesFree: 3 }
      const held = holdMail(pots, [sender, ...workspaceIds.map((name) => ({ ...share, name }))])
      const pace = keepPace(pots, limits.paceMs, arriving.cut)
      try {
        await receive(stream, held, pace, (work) => writing.take(network, work))
        pace.end()
        if (!held.isInFile()) return await use(await held.read())
        return await inTurn(large, sender, async () => use(await held.read()))
      } finally {
        pace.end()
        await held.drop()
      }
    },
  }
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** @throws SmtpRefusal */
const receive = async (
  stream: SMTPServerDataStream,
  held: HeldMail,
  pace: Pace,
  writing: InTurn,
): Promise<void> => {
  let refusal: unknown = null
  const isHeaderTooLong = headerGauge()
  const take = async (chunk: Buffer): Promise<void> => {
    if (refusal === null && stream.sizeExceeded) refusal = tooLarge
    try {
      refusal ??= tooMuchOf(await held.add(chunk))
      if (refusal === null && isHeaderTooLong(chunk)) refusal = refusalOfHeader(await held.read())
    } catch (error) {
      refusal = error
    }
    if (refusal === null) return
    await held.drop()
    // Yields, so that discarded data costs others no more than written data.
    await new Promise(setImmediate)
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    pace.count(chunk.length)
    const doneWriting = pace.wait()
    if (held.isInFile() || refusal !== null) await writing(() => take(chunk))
    else await take(chunk)
    doneWriting()
  }
  if (refusal !== null) throw refusal
}

const tooLarge = new SmtpRefusal(
  '552 5.3.4',
  `A message may have ${MAX_MESSAGE_BYTES} bytes at most`,
)

const tooMuchOf = (greedy: Party | null): SmtpRefusal | null =>
  greedy === null
    ? null
    : new SmtpRefusal(
        '452 4.3.1',
        `Too much mail ${greedy.kind === 'network' ? 'from your network' : 'for this workspace'} at once, try again later`,
      )

const inTurn = async <T>(turns: FairTurns, party: Party, work: () => Promise<T>): Promise<T> => {
  try {
    return await turns.take(party.name, work)
  } catch (error) {
    if (error instanceof TooManyWaiting) throw tooMuchOf(party)
    throw error
  }
}

type Pace = {
  count(bytes: number): void
  /** Call before a write, and the returned function after it: the client is not slow while our disk is. */
  wait(): () => void
  end(): void
}

const keepPace = (pots: Pots, everyMs: number, cut: () => void): Pace => {
  let received = 0
  let writing = 0
  const timer = setInterval(() => {
    const isScarce = pots.disk.isScarce() || pots.memory.isScarce()
    const least = isScarce ? SLOWEST_WHEN_SCARCE : SLOWEST_BYTES_PER_SECOND
    if (writing === 0 && received < (least * everyMs) / 1_000) cut()
    received = 0
  }, everyMs).unref()
  return {
    count: (bytes) => {
      received += bytes
    },
    wait: () => {
      writing += 1
      return () => {
        writing -= 1
      }
    },
    end: () => clearInterval(timer),
  }
}
