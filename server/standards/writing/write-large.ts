/**
 * Writing takes time that grows with what is attached: 17 MB are encoded, signed and hashed in half a second. Small messages
 * are written here; large ones on a thread, in turns that go round among workspaces (decision 040).
 */

import { ownBuffers } from '#server/lib/shared-thread/own-buffers.ts'
import { openFairThreads } from '#server/lib/shared-thread/shared-thread.ts'
import type { MessageToWrite } from '../message-writer.ts'
import { type Signing, type WritingJob, writeAndSign } from './write-and-sign.ts'

const SMALL_BYTES = 256 * 1024

const threads = openFairThreads<WritingJob, { result: Uint8Array }>(
  new URL('./writing-thread.ts', import.meta.url),
  { threads: 1, stallMs: 30_000, idleMs: 30_000 },
)

/** `by`: the workspace, whose turn it is. The files of a large message are handed over: the caller has them no more. */
export const writeSigned = async (
  message: MessageToWrite,
  signing: Signing | null,
  by: string,
): Promise<Buffer> => {
  const { text, html = '', attachments = [] } = message
  const size = attachments.reduce((sum, { content }) => sum + content.length, 0)
  if (text.length + html.length + size <= SMALL_BYTES) return writeAndSign(message, signing)
  const done = await threads.run(by, () => ({
    job: { message, signing },
    transfer: ownBuffers(attachments.map(({ content }) => content)),
  }))
  if (done === null) throw new Error('a message could not be written in time')
  const { buffer, byteOffset, byteLength } = done.result
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
