/** What can be read of a message, wherever that happens. */
import { digestOf, type MessageDigest } from '../message-digest.ts'
import { parseMessage, textOfHtml, unreadableEmail } from '../message-text.ts'
import { openAttachment, openMessage } from './opened-message.ts'

export type ReadingJob =
  | { read: 'digest' | 'opened'; raw: Uint8Array }
  | { read: 'attachment'; raw: Uint8Array; n: number }
  | { read: 'text-of-html'; html: string }

export const readingJobs = {
  digest: async (raw: Uint8Array): Promise<MessageDigest | 'too-deep'> => {
    const email = await parseMessage(raw)
    return email === 'too-deep' ? email : digestOf(email ?? unreadableEmail)
  },
  opened: openMessage,
  attachment: openAttachment,
  textOfHtml: async (html: string): Promise<string> => textOfHtml(html),
}
