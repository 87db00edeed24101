/**
 * Writing takes time that grows with what is attached: 17 MB are encoded, signed and hashed in half a second. Small messages
 * are written here; large ones on a thread, in turns that go round among workspaces (decision 040).
 */
import { openFairThreads } from '#server/lib/shared-thread/fair-threads.ts'
import type { MboxMessage } from '../mbox/write-mbox.ts'
import type { MessageToWrite } from '../message-writer.ts'
import { type Signing, type WritingJob, writingJobs } from './writing-jobs.ts'

const SMALL_BYTES = 256 * 1024

const threads = openFairThreads<WritingJob, { result: Uint8Array }>(
  new URL('./writing-thread.ts', import.meta.url),
  { threads: 1, stallMs: 30_000, idleMs: 30_000 },
)

const onThread = async (by: string, job: WritingJob): Promise<Buffer> => {
  const done = await threads.run(by, () => ({ job }))
  if (done === null) throw new Error('a message could not be written in time')
  const { buffer, byteOffset, byteLength } = done.result
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** `by`: the workspace, whose turn it is. */
export const writeSigned = (
  message: MessageToWrite,
  signing: Signing | null,
  by: string,
): Promise<Buffer> => {
  const { text, html = '', attachments = [] } = message
  const size = attachments.reduce((sum, { content }) => sum + content.length, 0)
  if (text.length + html.length + size <= SMALL_BYTES) return writingJobs.message(message, signing)
  return onThread(by, { write: 'message', message, signing })
}

/** One message as it stands in an mbox file. */
export const writeMbox = async (message: MboxMessage, by: string): Promise<Buffer> =>
  message.raw.length <= SMALL_BYTES
    ? writingJobs.mbox(message)
    : onThread(by, { write: 'mbox', message })
