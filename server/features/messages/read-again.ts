import type { App } from '#server/app.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { readDigestAgain } from '#server/standards/reading/read-message.ts'
import type { Db } from '#server/storage/database.ts'
import { announceMailSoon } from './announce-mail.ts'
import { lockMessage } from './change-queries.ts'
import {
  claimPartial,
  forgetPartial,
  type PartialMessage,
  putDigest,
} from './read-in-part-store.ts'

const AT_ONCE = 50
/** Waits after each failed try; after the last the message stays partly parsed, which happens only to hostile mail. */
const WAIT_SECONDS = [600, 6 * 3_600, 24 * 3_600]

/**
 * Parses messages again, with more time, that could be parsed only in part when they were filed, for example under load
 * (decision 041).
 */
export const readAgain = async (app: App): Promise<void> => {
  for (let n = 0; n < AT_ONCE; n++) {
    const now = app.clock.now()
    const message = await claimPartial(app.db, now, (tries) =>
      secondsAfter(now, WAIT_SECONDS[tries] ?? WAIT_SECONDS[0] ?? 0),
    )
    if (message === undefined) return
    await readOne(app, message)
  }
}

const readOne = async (app: App, message: PartialMessage): Promise<void> => {
  const { workspaceId, mailboxId, blob, tries } = message
  const digest = await readDigestAgain(await app.blobs.get(blob), workspaceId)
  if (digest === null && tries < WAIT_SECONDS.length) return
  await app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, mailboxId)
    if (digest !== null && digest !== 'too-deep') await writeDigest(tx, message, digest)
    await forgetPartial(tx, message)
  })
  announceMailSoon(app, { workspaceId, mailboxId })
}

const writeDigest = async (tx: Db, message: PartialMessage, digest: MessageDigest) => {
  const { id: messageId, workspaceId, mailboxId } = message
  const locked = await lockMessage(tx, { workspaceId, mailboxId, messageId })
  if (locked === undefined) return
  const { modseq } = await touchFolder(tx, locked.folderId, { messages: 0, unread: 0, uids: 0 })
  await putDigest(tx, message, digest, modseq)
}
