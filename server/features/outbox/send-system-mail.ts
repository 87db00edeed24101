import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { makeRsaKey } from '#server/lib/secrets.ts'
import { parseAddress } from '#server/standards/address.ts'
import { dkimSign, type SigningKey } from '#server/standards/dkim-sign.ts'
import { type WrittenAttachment, writeMessage } from '#server/standards/message-writer.ts'
import type { Db } from '#server/storage/database.ts'
import { enqueueMessage } from './enqueue-message.ts'
import { outboxUrl } from './held-mails.ts'
import { findSystemKey, insertSystemKey } from './outbox-store.ts'

export type SystemMail = {
  to: string
  subject: string
  /** Paragraphs. The link is added on its own line unless the text has it on a line. */
  text: string
  html: string
  /** The link that the reader should open; null for a notice. */
  link: string | null
  attachments?: readonly WrittenAttachment[]
}

/**
 * Writes, signs for MAIL_HOST and queues a mail of the installation. With SYSTEM_MAIL=outbox it
 * is held and its link is printed on the terminal, so that sign-up works without a mail server.
 */
export const sendSystemMail = async (app: App, db: Db, mail: SystemMail): Promise<void> => {
  const isHeld = app.config.systemMail === 'outbox'
  const now = app.clock.now()
  const written = await writeMessage({
    from: { name: 'Mailstead', address: app.config.systemFrom },
    ...replyTo(app),
    to: [{ name: '', address: mail.to }],
    subject: mail.subject,
    messageId: `${newId()}@${app.config.mailHost}`,
    date: now,
    text: withLink(mail.text, mail.link),
    html: mail.html,
    ...(mail.attachments && { attachments: mail.attachments }),
    // Keeps vacation replies away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  const key = await systemKeyOf(app, db)
  await enqueueMessage(app, db, {
    workspaceId: null,
    mailboxId: null,
    mailFrom: app.config.systemFrom,
    recipients: [mail.to],
    raw: dkimSign(written, key.domain, [key], now),
    isHeld,
  })
  if (isHeld)
    app.say(`Mail for ${mail.to}, '${mail.subject}': ${mail.link ?? `see ${outboxUrl(app)}`}`)
}

/** Who answers a mail of the installation writes to its operator, unless they are reached by a web page alone. */
const replyTo = ({ config }: App) =>
  parseAddress(config.operatorContact) ? { replyTo: config.operatorContact } : {}

const SELECTOR = 'mailstead'

export type PublicSystemKey = {
  selector: string
  /** base64 of the DER SubjectPublicKeyInfo: the `p=` value. */
  publicKey: string
}

/** The DKIM key of MAIL_HOST, made on first use. */
export type SystemKey = SigningKey & PublicSystemKey & { domain: string }

/** null: no start has made it yet. */
export const publicSystemKeyOf = async (
  db: Db,
  mailHost: string,
): Promise<PublicSystemKey | null> => {
  const row = await findSystemKey(db, mailHost)
  return row === undefined ? null : { selector: row.selector, publicKey: row.publicKey }
}

export const systemKeyOf = async (app: App, db: Db): Promise<SystemKey> => {
  const domain = app.config.mailHost
  if ((await findSystemKey(db, domain)) === undefined) await makeKey(app, db, domain)
  const row = await findSystemKey(db, domain)
  if (row === undefined) throw new Error('the key of MAIL_HOST was not stored')
  return {
    domain,
    selector: row.selector,
    algorithm: 'rsa',
    privateKeyPem: app.secrets.decrypt(row.privateKeySealed, contextOf(domain)),
    publicKey: row.publicKey,
  }
}

const makeKey = async (app: App, db: Db, domain: string): Promise<void> => {
  const { privateKeyPem, publicKey } = await makeRsaKey()
  await insertSystemKey(db, {
    domain,
    selector: SELECTOR,
    privateKeySealed: app.secrets.encrypt(privateKeyPem, contextOf(domain)),
    publicKey,
    createdAt: app.clock.now(),
  })
}

const contextOf = (domain: string): string => `system-key:${domain}`

const withLink = (text: string, link: string | null): string =>
  link === null || text.split(/\r?\n/).some((line) => line.trim() === link)
    ? text
    : `${text.trimEnd()}\n\n${link}\n`
