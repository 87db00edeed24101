/** A message from its fields to its bytes, wherever that happens. */
import { dkimSign, type SigningKey } from '../dkim-sign.ts'
import { type MessageToWrite, writeMessage } from '../message-writer.ts'

export type Signing = { domain: string; keys: readonly SigningKey[]; at: Date }

export type WritingJob = { message: MessageToWrite; signing: Signing | null }

export const writeAndSign = async (
  message: MessageToWrite,
  signing: Signing | null,
): Promise<Buffer> => {
  const raw = await writeMessage(message)
  return signing === null ? raw : dkimSign(raw, signing.domain, signing.keys, signing.at)
}
