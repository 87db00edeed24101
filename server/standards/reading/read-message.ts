/**
 * Parses received mail. A hostile megabyte can keep a parser busy for minutes, so only small messages are parsed on the main
 * thread; larger ones are parsed on a worker thread, which is ended when it stalls. Each workspace (`by`) has one message parsed
 * at a time, so that a hundred of its messages do not delay other workspaces.
 */

import { ownBuffers } from '#server/lib/threads/own-buffers.ts'
import { openThreads } from '#server/lib/threads/threads.ts'
import type { WrittenStructure } from '../imap-texts/write-structure.ts'
import type { MessageDigest } from '../message-digest.ts'
import { type OpenedAttachment, type OpenedMessage, sourceOf } from './opened-message.ts'
import { readingJobs } from './reading-jobs.ts'

const SMALL_BYTES = 32_000

const open = (threads: number, stallMs: number) =>
  openThreads<typeof readingJobs>(new URL('./reading-thread.ts', import.meta.url), {
    ...{ threads, stallMs, idleMs: 30_000 },
  })

/** Separate threads, so that slow incoming mail does not keep readers from opening messages. */
const digesting = open(1, 3_000)
const opening = open(2, 10_000)
/** A thread for second attempts, which take longer. */
const digestingAgain = open(1, 20_000)

/** Handed over whole, or copied where others share its buffer. */
const given = (raw: Uint8Array) => ({ args: [raw] as [Uint8Array], transfer: ownBuffers([raw]) })

/** 'too-deep' when parts nest too deep. A message that cannot be parsed in time gets a partial digest of its header. */
export const readDigest = async (raw: Buffer, by: string): Promise<MessageDigest | 'too-deep'> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.digest(raw)
  const done = await digesting.run(by, 'digest', () => given(new Uint8Array(raw)))
  return done ?? { ...(await readingJobs.digestOfHeader(raw)), isPartial: true }
}

/** Parses a partially read message again with a much longer timeout; null when that expires too. */
export const readDigestAgain = async (
  raw: Buffer,
  by: string,
): Promise<MessageDigest | 'too-deep' | null> =>
  digestingAgain.run(by, 'digest', () => given(new Uint8Array(raw)))

/** null when it cannot be read in time. The buffer of a large `raw` is transferred. */
export const readStructureToStore = async (
  raw: Buffer,
  by: string,
): Promise<WrittenStructure | null> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.structure(raw)
  return opening.run(by, 'structure', () => given(raw))
}

/** The content of a part; null when it cannot be decoded in time. The buffer of large `bytes` is transferred. */
export const readDecoded = async (
  bytes: Buffer,
  encoding: string,
  by: string,
): Promise<Uint8Array | null> => {
  if (bytes.length <= SMALL_BYTES) return readingJobs.decoded(bytes, encoding)
  return opening.run(by, 'decoded', () => ({
    args: [bytes, encoding],
    transfer: ownBuffers([bytes]),
  }))
}

/** Returns the source of the message when it cannot be parsed, or not in time. */
export const readOpened = async (raw: Buffer, by: string): Promise<OpenedMessage> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.opened(raw)
  return (await opening.run(by, 'opened', () => given(new Uint8Array(raw)))) ?? sourceOf(raw)
}

/**
 * Parses the message once for all of them. Returns null when one is not there, or the message cannot be parsed in time. The buffer
 * of a large `raw` is transferred.
 */
export const readAttachments = async (
  raw: Buffer,
  positions: readonly number[],
  by: string,
): Promise<OpenedAttachment[] | null> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.attachments(raw, positions)
  return opening.run(by, 'attachments', () => ({
    args: [raw, positions],
    transfer: ownBuffers([raw]),
  }))
}

/** Returns null when there are no attachments, or they cannot be parsed in time. The buffer of a large `raw` is transferred. */
export const readZip = async (raw: Buffer, by: string): Promise<Uint8Array | null> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.zip(raw)
  return opening.run(by, 'zip', () => ({ args: [raw], transfer: ownBuffers([raw]) }))
}

/** The text/plain alternative of `html`; null when the conversion takes too long. */
export const readTwinOfHtml = async (html: string, by: string): Promise<string | null> => {
  if (html.length <= SMALL_BYTES) return readingJobs.twinOfHtml(html)
  return opening.run(by, 'twinOfHtml', () => ({ args: [html] }))
}
