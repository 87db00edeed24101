/** What is written of messages, wherever that happens. */
import { dkimSign, type SigningKey } from '../dkim-sign.ts'
import { type MboxMessage, writeMboxMessage } from '../mbox/write-mbox.ts'
import { type MessageToWrite, writeMessage } from '../message-writer.ts'

export type Signing = { domain: string; keys: readonly SigningKey[]; at: Date }

export type WritingJob =
  | { write: 'message'; message: MessageToWrite; signing: Signing | null }
  | { write: 'mbox'; message: MboxMessage }

export const writingJobs = {
  message: async (message: MessageToWrite, signing: Signing | null): Promise<Buffer> => {
    const raw = await writeMessage(message)
    return signing === null ? raw : dkimSign(raw, signing.domain, signing.keys, signing.at)
  },
  mbox: writeMboxMessage,
}
