/**
 * Reading what strangers wrote. A parser can be kept busy for minutes by a megabyte made for it, so only small
 * messages are read here; larger ones are read on a thread that is stopped when it takes too long.
 */
import { openThreads } from '#server/lib/threads.ts'
import type { MessageDigest } from '../message-digest.ts'
import { type OpenedAttachment, type OpenedMessage, sourceOf } from './opened-message.ts'
import { MAX_DIGESTED_BYTES, type ReadingJob, readingJobs } from './reading-jobs.ts'

const SMALL_BYTES = 32_000

const thread = new URL('./reading-thread.ts', import.meta.url)
type Done = { result: unknown }
/** Apart, so that mail made to take long does not keep people from reading theirs. */
const digesting = openThreads<ReadingJob, Done>(thread, { max: 1, limitMs: 3_000, idleMs: 30_000 })
const opening = openThreads<ReadingJob, Done>(thread, { max: 2, limitMs: 10_000, idleMs: 30_000 })

/** 'too-deep' when parts nest too deep. What cannot be read in time is known by its header alone. */
export const readDigest = async (whole: Buffer): Promise<MessageDigest | 'too-deep'> => {
  const raw = whole.subarray(0, MAX_DIGESTED_BYTES)
  if (raw.length <= SMALL_BYTES) return readingJobs.digest(raw)
  const copy = new Uint8Array(raw)
  const done = await digesting.run({ read: 'digest', raw: copy }, [copy.buffer])
  if (done !== null) return done.result as MessageDigest | 'too-deep'
  return readingJobs.digestOfHeader(raw)
}

/** As its source when it cannot be read, or not in time. */
export const readOpened = async (raw: Buffer): Promise<OpenedMessage> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.opened(raw)
  const copy = new Uint8Array(raw)
  const done = await opening.run({ read: 'opened', raw: copy }, [copy.buffer])
  return done === null ? sourceOf(raw) : (done.result as OpenedMessage)
}

/** null when there is no such attachment, or none that can be read in time. */
export const readAttachment = async (raw: Buffer, n: number): Promise<OpenedAttachment | null> => {
  if (raw.length <= SMALL_BYTES) return readingJobs.attachment(raw, n)
  const copy = new Uint8Array(raw)
  const done = await opening.run({ read: 'attachment', raw: copy, n }, [copy.buffer])
  return done === null ? null : (done.result as OpenedAttachment | null)
}

/** The plain text that goes with it; '' when it cannot be made in time. */
export const readTwinOfHtml = async (html: string): Promise<string> => {
  if (html.length <= SMALL_BYTES) return readingJobs.twinOfHtml(html)
  const done = await opening.run({ read: 'twin-of-html', html })
  return done === null ? '' : (done.result as string)
}
