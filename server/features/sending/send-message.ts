import { AppError } from '#contract/errors.ts'
import type { MessageSummary } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { sendersOf } from '#server/features/mailboxes/own-addresses.ts'
import { findMessage } from '#server/features/messages/message-queries.ts'
import { toSummary } from '#server/features/messages/to-summary.ts'
import { isId, newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { mailLimitAlert } from './brake-mails.ts'
import type { ComposedForm } from './compose-message.ts'
import { fileWritten, keepAndQueue, type Stored, storeMessage } from './keep-message.ts'
import { type Original, prepareMessage } from './prepare-message.ts'

export type MessageForm = Omit<ComposedForm, 'attachments'> & {
  /** `content` is base64. */
  attachments: { filename: string; contentType: string; content: string }[]
  inReplyTo?: string | undefined
  draft: boolean
}

/** Sends a message and files a copy in Sent, or saves it in Drafts; on an error nothing is stored. */
export const sendMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  given: MessageForm,
): Promise<MessageSummary> => {
  const { inReplyTo, draft: isDraft, ...rest } = given
  const mailbox = await openMailbox(app, who, mailboxId)
  const answered = await findAnswered(app, who, mailboxId, inReplyTo)
  const form = {
    ...rest,
    // Removed from the form, so that the base64 text is not in memory beside the bytes.
    attachments: given.attachments.splice(0).map((file) => ({
      ...file,
      content: Buffer.from(file.content, 'base64'),
    })),
  }
  const stored = await storeMessage(
    app,
    await prepareMessage(app, { mailbox, form, answered, isDraft }),
  )
  return isDraft ? keepDraft(app, stored) : send(app, stored, answered)
}

const keepDraft = async (app: App, stored: Stored): Promise<MessageSummary> => {
  const id = newId()
  return app.db.transaction().execute(async (tx) => {
    await fileWritten(tx, id, stored)
    return filedSummary(tx, stored, id)
  })
}

const send = async (app: App, stored: Stored, original: Original): Promise<MessageSummary> => {
  const claimMessageId = async () => newId()
  return app.db
    .transaction()
    .execute(async (tx) => {
      const ours = { ...stored, original, mark: 'answered' as const, claimMessageId }
      const { id } = await keepAndQueue(app, tx, ours)
      return filedSummary(tx, stored, id)
    })
    .catch((refusal: unknown) => mailLimitAlert(app, stored.mailbox, refusal))
}

const filedSummary = async (tx: Db, { mailbox }: Stored, id: string): Promise<MessageSummary> => {
  const place = { workspaceId: mailbox.workspaceId, mailboxId: mailbox.id, messageId: id }
  const row = await findMessage(tx, place)
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return toSummary(row)
}

const findAnswered = async (
  app: App,
  who: Who,
  mailboxId: string,
  id: string | undefined,
): Promise<Original> => {
  if (id === undefined) return undefined
  const { workspaceId } = who
  const found = isId(id)
    ? await findMessage(app.db, { workspaceId, mailboxId, messageId: id })
    : undefined
  if (found === undefined) throw new AppError('NOT_EXISTS')
  return found
}

/** The addresses that a reader of the mailbox may send as. */
export const listAddresses = async (app: App, who: Who, mailboxId: string): Promise<string[]> =>
  sendersOf(app, await openMailbox(app, who, mailboxId))
