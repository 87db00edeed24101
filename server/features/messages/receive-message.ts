/** Stores a message in mailboxes of this installation; it is durable on return. */
import type { Authentication, Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { mailReceived } from '#server/features/webhooks/event-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { digestOf, type MessageDigest } from '#server/standards/message-digest.ts'
import { traceHeaders } from '#server/standards/message-headers.ts'
import { unreadableEmail } from '#server/standards/message-text.ts'
import { readDigest } from '#server/standards/reading/read-message.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { announceMailSoon } from './announce-mail.ts'
import { hasAmpleRoom, reserveRoom } from './check-room.ts'
import { type AlsoKept, fileMessage } from './message-queries.ts'

export type IncomingMessage = {
  /** The message, with our trace fields in front. */
  raw: Buffer
  /** Reverse path; '': a bounce. */
  mailFrom: string
  authentication: Authentication | null
  /** Given when the caller has already parsed the message. */
  digest?: MessageDigest
  /** Stored with each copy that may get an automatic reply: not with bounces, and not in Junk. */
  ifAnswerable?: AlsoKept
}

export type LocalMailbox = {
  /** Of its copy; absent: a new one. */
  id?: string
  mailboxId: string
  workspaceId: string
  /** The mailbox's junk decision; absent: the filter was not run. */
  junk?: Junk
}

/**
 * Stores one copy per mailbox, in its Inbox or Junk. If `db` is a transaction, the rows belong to it; the blob is durable before.
 * @throws STORAGE_FULL, or when a mailbox was deleted, or storage or database fail: the caller must then not accept the mail.
 */
export const receiveMessage = async (
  app: App,
  db: Db,
  message: IncomingMessage,
  mailboxes: readonly LocalMailbox[],
): Promise<void> => {
  const [blob, digest] = await Promise.all([
    app.blobs.put(message.raw),
    message.digest ?? digestLocal(message.raw, mailboxes[0]?.workspaceId ?? ''),
  ])
  const once = [...new Map(mailboxes.map((mailbox) => [mailbox.mailboxId, mailbox])).values()]
  const file = (on: Db, { id = newId(), mailboxId, junk }: LocalMailbox) =>
    fileInto(app, on, mailboxId, { ...message, id, blob, digest, junk })
  const [only] = once
  const tight = await withoutAmpleRoom(app, db, once, message.raw.length)
  const fileAll = async (tx: Db) => {
    if (tight.length > 0) await reserveRoom(tx, tight, message.raw.length)
    for (const mailbox of inOrder(once)) await file(tx, mailbox)
  }
  // A single statement is its own transaction and saves the round trips of BEGIN and COMMIT.
  if (once.length === 1 && only !== undefined && tight.length === 0) await file(db, only)
  else if (db.isTransaction) await fileAll(db)
  else await app.db.transaction().execute(fileAll)
  for (const { mailboxId, workspaceId } of once)
    if (db.isTransaction) await announceChange(db, { topic: 'messages', mailboxId, workspaceId })
    else announceMailSoon(app, { mailboxId, workspaceId })
}

const withoutAmpleRoom = async (
  app: App,
  db: Db,
  mailboxes: readonly LocalMailbox[],
  bytes: number,
): Promise<string[]> => {
  const tight: string[] = []
  for (const mailbox of mailboxes)
    if (!(await hasAmpleRoom(app, mailbox, bytes, db))) tight.push(mailbox.mailboxId)
  return tight
}

/** The same order for every message, which prevents deadlocks. */
const inOrder = (mailboxes: LocalMailbox[]): LocalMailbox[] =>
  mailboxes.toSorted((a, b) => (a.mailboxId < b.mailboxId ? -1 : 1))

/** The digest of mail that was written here: such mail is never refused for its form. */
export const digestLocal = async (raw: Buffer, by: string): Promise<MessageDigest> => {
  const digest = await readDigest(raw, by)
  return digest === 'too-deep' ? digestOf(unreadableEmail) : digest
}

const fileInto = async (
  app: App,
  db: Db,
  mailboxId: string,
  message: IncomingMessage & {
    id: string
    blob: string
    digest: MessageDigest
    junk: Junk | undefined
  },
): Promise<void> => {
  const { id, raw, blob, digest, authentication, junk, mailFrom, ifAnswerable } = message
  const now = app.clock.now()
  const answerable = mailFrom !== '' && !junk?.isJunk ? ifAnswerable : undefined
  const isFiled = await fileMessage(db, {
    id,
    mailboxId,
    folderRole: junk?.isJunk ? 'junk' : 'inbox',
    blob,
    sizeBytes: raw.length,
    digest,
    isRead: false,
    isDraft: false,
    authentication,
    junk: junk ?? null,
    mailFrom,
    date: now,
    savedAt: now,
    alsoKept: [mailReceived, ...(answerable ? [answerable] : [])],
  })
  if (!isFiled) throw new Error(`mailbox ${mailboxId} is gone`)
}

/** Adds the trace fields that a receiving server adds. */
export const withTrace = (app: App, raw: Buffer, mailFrom: string, recipient: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      traceHeaders({
        mailFrom,
        client: null,
        mailHost: app.config.mailHost,
        protocol: 'LOCAL',
        id: newId(),
        recipient,
        at: app.clock.now(),
      }),
    ),
    raw,
  ])
