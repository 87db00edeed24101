/** The parsing jobs, independent of the thread that runs them. */
import { twinOfHtml } from '../html-text.ts'
import { structureToStore, type WrittenStructure } from '../imap-texts/write-structure.ts'
import { digestOf, type MessageDigest } from '../message-digest.ts'
import { bodyStartOf } from '../message-lines.ts'
import { parseMessage, unreadableEmail } from '../message-text.ts'
import type { ReadEmail } from '../mime/mail-parser.ts'
import { withShortHeader } from '../mime/short-header.ts'
import { decodeTransfer } from '../mime/transfer-encoding.ts'
import { openAttachments, openMessage, zipAttachments } from './opened-message.ts'

/** Lists and search need the text, which comes first; the rest is parsed when the message is opened. */
const MAX_DIGESTED_BYTES = 1_000_000
const MAX_HEADER_ALONE_BYTES = 32_000

/** The header of a message whose structure is invalid: lists still show its sender and subject. */
const headerAlone = async (raw: Uint8Array): Promise<ReadEmail> => {
  const header = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const email = await parseMessage(
    header.subarray(0, Math.min(bodyStartOf(header), MAX_HEADER_ALONE_BYTES)),
  )
  return email === null || email === 'too-deep' ? unreadableEmail : { ...email, attachments: [] }
}

const digestBeforeTrace = async (whole: Uint8Array): Promise<MessageDigest | 'too-deep'> => {
  const raw = withShortHeader(whole).subarray(0, MAX_DIGESTED_BYTES)
  const email = await parseMessage(raw)
  return email === 'too-deep' ? email : digestOf(email ?? (await headerAlone(raw)))
}

export const readingJobs = {
  digest: async (whole: Uint8Array): Promise<MessageDigest | 'too-deep'> => {
    const digest = await digestBeforeTrace(whole)
    return digest === 'too-deep' ? digest : { ...digest, structure: structureToStore(whole) }
  },
  /** Without the structure, whose places are those of the bytes that are stored. */
  digestBeforeTrace,
  digestOfHeader: async (raw: Uint8Array): Promise<MessageDigest> =>
    digestOf(await headerAlone(raw)),
  structure: async (raw: Uint8Array): Promise<WrittenStructure> => structureToStore(raw),
  decoded: async (bytes: Uint8Array, encoding: string): Promise<Uint8Array> =>
    decodeTransfer(bytes, encoding).slice(),
  opened: openMessage,
  attachments: openAttachments,
  zip: zipAttachments,
  twinOfHtml: async (html: string): Promise<string> => twinOfHtml(html),
}
