/**
 * Writes messages. The time grows with the attachments: 17 MB take half a second to encode, sign and hash. Small messages are
 * written on the main thread; large ones on a worker thread, where workspaces take turns (decision 040).
 */

import { bufferOf, ownBuffers } from '#server/lib/threads/own-buffers.ts'
import { openThreads } from '#server/lib/threads/threads.ts'
import { dkimSign } from '../dkim-sign.ts'
import type { MessageToWrite } from '../message-writer.ts'
import { type Signing, writeAndSign, type writingJobs } from './write-and-sign.ts'

const SMALL_BYTES = 256 * 1024

const threads = openThreads<typeof writingJobs>(new URL('./writing-thread.ts', import.meta.url), {
  stallMs: 30_000,
  idleMs: 30_000,
})

/**
 * `by`: the workspace that waits for its turn. The buffers of a large message's files are transferred: the caller cannot use them
 * afterwards.
 */
export const writeSigned = async (
  message: MessageToWrite,
  signing: Signing | null,
  by: string,
): Promise<Buffer> => {
  const { text, html = '', attachments = [] } = message
  const size = attachments.reduce((sum, { content }) => sum + content.length, 0)
  if (text.length + html.length + size <= SMALL_BYTES) return writeAndSign(message, signing)
  const written = await threads.run(by, 'write', () => ({
    args: [message, signing],
    transfer: ownBuffers(attachments.map(({ content }) => content)),
  }))
  if (written === null) throw new Error('a message could not be written in time')
  return bufferOf(written)
}

/** Signs a message that is written already. `raw` can be used afterwards. */
export const signWritten = async (raw: Buffer, signing: Signing, by: string): Promise<Buffer> => {
  const { domain, keys, at } = signing
  if (raw.length <= SMALL_BYTES) return dkimSign(raw, domain, keys, at)
  const signed = await threads.run(by, 'sign', () => {
    const copy = new Uint8Array(raw)
    return { args: [copy, signing], transfer: ownBuffers([copy]) }
  })
  if (signed === null) throw new Error('a message could not be signed in time')
  return bufferOf(signed)
}
