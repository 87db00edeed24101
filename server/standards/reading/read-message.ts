/**
 * Reading what strangers wrote. A parser can be kept busy for minutes by a megabyte made for it, so only small
 * messages are read here; larger ones are read on a thread that is ended when it stalls. One of each `by`
 * at a time: a workspace that has a hundred such messages read at once waits for itself, and nobody else for it.
 */

import { ownBuffers } from '#server/lib/shared-thread/own-buffers.ts'
import { openFairThreads } from '#server/lib/shared-thread/shared-thread.ts'
import type { MessageDigest } from '../message-digest.ts'
import { withShortHeader } from '../mime/short-header.ts'
import { type OpenedAttachment, type OpenedMessage, sourceOf } from './opened-message.ts'
import { MAX_DIGESTED_BYTES, type ReadingJob, readingJobs } from './reading-jobs.ts'

const SMALL_BYTES = 32_000

const module = new URL('./reading-thread.ts', import.meta.url)

const openReading = (threads: number, stallMs: number) => {
  const opened = openFairThreads<ReadingJob, { result: unknown }>(module, {
    ...{ threads, stallMs, idleMs: 30_000 },
  })
  return (by: string, make: () => ReadingJob): Promise<{ result: unknown } | null> =>
    opened.run(by, () => {
      const job = make()
      return { job, transfer: 'raw' in job ? ownBuffers([job.raw]) : [] }
    })
}

/** Apart, so that mail made to take long does not keep people from reading theirs. */
const digesting = openReading(1, 3_000)
const opening = openReading(2, 10_000)
/** In its own time. */
const digestingAgain = openReading(1, 20_000)

const startOf = (whole: Buffer): Buffer => withShortHeader(whole).subarray(0, MAX_DIGESTED_BYTES)

/** 'too-deep' when parts nest too deep. What cannot be read in time is known by its header alone, and is partial. */
export const readDigest = async (
  whole: Buffer,
  by: string,
): Promise<MessageDigest | 'too-deep'> => {
  const raw = startOf(whole)
  if (raw.length <= SMALL_BYTES) return readingJobs.digest(raw)
  const done = await digesting(by, () => ({ read: 'digest', raw: new Uint8Array(raw) }))
  if (done !== null) return done.result as MessageDigest | 'too-deep'
  return { ...(await readingJobs.digestOfHeader(raw)), isPartial: true }
}

/** With much more time, for what was read in part; null when that is not enough either. */
export const readDigestAgain = async (
  whole: Buffer,
  by: string,
): Promise<MessageDigest | 'too-deep' | null> => {
  const raw = startOf(whole)
  const done = await digestingAgain(by, () => ({ read: 'digest', raw: new Uint8Array(raw) }))
  return done === null ? null : (done.result as MessageDigest | 'too-deep')
}

/** As its source when it cannot be read, or not in time. */
export const readOpened = async (raw: Buffer, by: string): Promise<OpenedMessage> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.opened(raw)
  const done = await opening(by, () => ({ read: 'opened', raw: new Uint8Array(raw) }))
  return done === null ? sourceOf(raw) : (done.result as OpenedMessage)
}

/** null when there is no such attachment, or none that can be read in time. A large `raw` is handed over. */
export const readAttachment = async (
  raw: Buffer,
  n: number,
  by: string,
): Promise<OpenedAttachment | null> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.attachment(raw, n)
  const done = await opening(by, () => ({ read: 'attachment', raw, n }))
  return done === null ? null : (done.result as OpenedAttachment | null)
}

/** The plain text that goes with it; '' when it cannot be made in time. */
export const readTwinOfHtml = async (html: string, by: string): Promise<string> => {
  if (html.length <= SMALL_BYTES) return readingJobs.twinOfHtml(html)
  const done = await opening(by, () => ({ read: 'twin-of-html', html }))
  return done === null ? '' : (done.result as string)
}
