/** The senders whose pictures the readers of a mailbox always want to see. */
import { AppError } from '#contract/errors.ts'
import { isSenderProven, type PictureSender } from '#contract/mail/pictures.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { openMessage } from '#server/features/messages/get-message.ts'
import { isId, newId } from '#server/lib/ids.ts'
import {
  deletePictureSender,
  insertPictureSender,
  type PictureSenderRow,
  readPictureSenders,
} from './picture-senders-store.ts'

export const listPictureSenders = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<PictureSender[]> => {
  await openMailbox(app, who, mailboxId)
  return (await readPictureSenders(app.db, who.workspaceId, mailboxId)).map(toPictureSender)
}

/** @throws SENDER_NOT_PROVEN: whoever may write any name may not have what was given to that name. */
export const addPictureSender = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<PictureSender> => {
  const { from, authentication } = await openMessage(app, who, mailboxId, messageId)
  if (!from?.address || !isSenderProven(authentication)) throw new AppError('SENDER_NOT_PROVEN')
  const createdAt = app.clock.now()
  const sender = {
    ...{ id: newId(createdAt.getTime()), workspaceId: who.workspaceId, mailboxId, createdAt },
    address: from.address.toLowerCase(),
  }
  return toPictureSender(await insertPictureSender(app.db, sender))
}

export const removePictureSender = async (
  app: App,
  who: Who,
  mailboxId: string,
  id: string,
): Promise<{ message: string }> => {
  await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  if (!isId(id) || !(await deletePictureSender(app.db, { workspaceId, mailboxId, id })))
    throw new AppError('NOT_EXISTS')
  return { message: 'Their pictures are shown only when you ask for them' }
}

const toPictureSender = ({ id, address, createdAt }: PictureSenderRow): PictureSender => ({
  ...{ _id: id, address },
  createdAt: createdAt.toISOString(),
})
