/** Puts a message into mailboxes of this installation: durable when it answers. */
import type { Authentication, Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { digestOf, type MessageDigest } from '#server/standards/message-digest.ts'
import { unreadableEmail } from '#server/standards/message-text.ts'
import { readDigest } from '#server/standards/reading/read-message.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { announceMailSoon } from './announce-mail.ts'
import { hasAmpleRoom, reserveRoom } from './check-room.ts'
import { fileMessage } from './messages-store.ts'

export type IncomingMessage = {
  /** With our trace fields in front. */
  raw: Buffer
  /** '' for bounces. */
  mailFrom: string
  authentication: Authentication | null
  /** When the caller has read the message already. */
  digest?: MessageDigest
}

export type LocalMailbox = {
  mailboxId: string
  workspaceId: string
  /** What this mailbox makes of the message; without it nobody has asked. */
  junk?: Junk
}

/**
 * Once per mailbox, into its Inbox or its Junk. With `db` a transaction the rows belong to it; the blob is durable before.
 * @throws STORAGE_FULL, or when a mailbox is gone, or storage or database fail: then nothing counts as accepted.
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
  const file = (on: Db, { mailboxId, junk }: LocalMailbox) =>
    fileInto(app, on, mailboxId, { ...message, blob, digest, junk })
  const [only] = once
  const tight = await withoutAmpleRoom(app, db, once, message.raw.length)
  const fileAll = async (tx: Db) => {
    if (tight.length > 0) await reserveRoom(tx, tight, message.raw.length)
    for (const mailbox of inOrder(once)) await file(tx, mailbox)
  }
  // One statement is a transaction of its own: no round trips for BEGIN and COMMIT.
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

/** Two messages for the same people lock their mailboxes in the same order. */
const inOrder = (mailboxes: LocalMailbox[]): LocalMailbox[] =>
  mailboxes.toSorted((a, b) => (a.mailboxId < b.mailboxId ? -1 : 1))

/** Of mail that was written here: it is kept, whatever it looks like. */
export const digestLocal = async (raw: Buffer, by: string): Promise<MessageDigest> => {
  const digest = await readDigest(raw, by)
  return digest === 'too-deep' ? digestOf(unreadableEmail) : digest
}

const fileInto = async (
  app: App,
  db: Db,
  mailboxId: string,
  message: IncomingMessage & { blob: string; digest: MessageDigest; junk: Junk | undefined },
): Promise<void> => {
  const { raw, blob, digest, authentication, junk, mailFrom } = message
  const isFiled = await fileMessage(db, {
    id: newId(),
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
    date: app.clock.now(),
    isAnswerable: mailFrom !== '' && !junk?.isJunk,
  })
  if (!isFiled) throw new Error(`mailbox ${mailboxId} is gone`)
}
