/** The local outbox of SYSTEM_MAIL=outbox: lists held mails and releases one. */
import PostalMime from 'postal-mime'
import type { App } from '#server/app.ts'
import { equalBytes } from '#server/lib/secrets.ts'
import { heldMessages } from './outbox-store.ts'

export type HeldMail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** Its header fields as they were written. */
  headers: string
  /** The first line of the text that is a URL. */
  link: string | null
  createdAt: Date
}

/** Newest first, at most 100. */
export const listHeldMails = async (app: App): Promise<HeldMail[]> => {
  const rows = await heldMessages(app.db, 100)
  return Promise.all(
    rows.map(async ({ id, recipient, blob, createdAt }) => {
      const raw = await app.blobs.get(blob)
      const mail = await PostalMime.parse(raw)
      const text = mail.text ?? ''
      const link = text.split(/\r?\n/).find((line) => /^https?:\/\/\S+$/.test(line.trim()))
      return {
        id,
        to: recipient,
        subject: mail.subject ?? '',
        text,
        html: mail.html ?? '',
        headers: headersOf(raw),
        link: link?.trim() ?? null,
        createdAt,
      }
    }),
  )
}

/** System mail is ASCII. */
const headersOf = (raw: Buffer): string => {
  const end = raw.indexOf('\r\n\r\n')
  return raw.toString('latin1', 0, end === -1 ? raw.length : end).replaceAll('\r\n', '\n')
}

const codeOf = (app: Pick<App, 'secrets'>): string =>
  app.secrets.mac('outbox page').toString('base64url').slice(0, 22)

/** The page of held mails asks for a code that only the terminal shows, because a mailed link gives access to the account. */
export const outboxUrl = (app: Pick<App, 'secrets' | 'config'>): string =>
  `${app.config.publicUrl}/dev/outbox?code=${codeOf(app)}`

export const isOutboxCode = (app: Pick<App, 'secrets'>, given: unknown): boolean =>
  typeof given === 'string' && equalBytes(Buffer.from(given), Buffer.from(codeOf(app)))
