/** Turns the fields of a message into its bytes, on any thread. */
import { bufferOf } from '#server/lib/threads/own-buffers.ts'
import { dkimSign, type SigningKey } from '../dkim-sign.ts'
import { type MessageToWrite, writeMessage } from '../message-writer.ts'

export type Signing = { domain: string; keys: readonly SigningKey[]; at: Date }

export const writeAndSign = async (
  message: MessageToWrite,
  signing: Signing | null,
): Promise<Buffer> => {
  const raw = await writeMessage(message)
  return signing === null ? raw : dkimSign(raw, signing.domain, signing.keys, signing.at)
}

export const writingJobs = {
  write: (message: MessageToWrite, signing: Signing | null): Promise<Uint8Array> => {
    const attachments = (message.attachments ?? []).map((file) => ({
      ...file,
      content: bufferOf(file.content),
    }))
    return writeAndSign({ ...message, attachments }, signing)
  },
  sign: async (raw: Uint8Array, { domain, keys, at }: Signing): Promise<Uint8Array> =>
    dkimSign(bufferOf(raw), domain, keys, at),
}
