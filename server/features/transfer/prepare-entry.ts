/** Prepares one entry of an mbox file for filing, or says why it cannot be filed. */
import { MAX_IMPORTED_BYTES } from '#contract/mail/transfer.ts'
import type { App } from '#server/app.ts'
import { digestLocal } from '#server/features/messages/receive-message.ts'
import type { MboxEntry } from '#server/standards/mbox/read-mbox.ts'
import {
  subjectIn,
  type UnpackedMessage,
  unpackMessage,
} from '#server/standards/mbox/unpack-message.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'

export type Ready = UnpackedMessage & { blob: string; digest: MessageDigest }
export type Fault = { startByte: number; at: number; subject: string; reason: string }
export type Prepared = {
  ready: Ready[]
  gone: number
  faults: Fault[]
  entries: number
  bytes: number
}

export const emptyPrepared = (): Prepared => ({
  ...{ ready: [], gone: 0, faults: [], entries: 0, bytes: 0 },
})

/** The blob is durable before a row refers to it. */
export const prepareEntry = async (
  app: App,
  prepared: Prepared,
  { startByte, content, ...entry }: MboxEntry,
  by: string,
): Promise<void> => {
  const at = prepared.entries++
  prepared.bytes += content?.length ?? 0
  const fault = (reason: string, subject = '') =>
    prepared.faults.push({ startByte, at, subject, reason })
  if (content === null) {
    fault(`It has more than ${MAX_IMPORTED_BYTES / 1_000_000} MB`)
    return
  }
  const message = unpackMessage({ startByte, content, ...entry })
  if (message === null) fault('It has no header, so it is no message')
  else if (message.raw.includes(0))
    fault('It holds bytes that no mail may have', subjectIn(message.raw))
  else if (message.isGone) prepared.gone += 1
  else {
    const { raw } = message
    const [blob, digest] = await Promise.all([app.blobs.put(raw), digestLocal(raw, by)])
    prepared.ready.push({ ...message, blob, digest })
  }
}
