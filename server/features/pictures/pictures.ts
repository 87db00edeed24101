/**
 * Fetches remote pictures of a message, so that the sender sees the server's address and never the reader's. Not an open
 * proxy: only a URL in the message is fetched, and only for a reader of the mailbox.
 */
import { AppError } from '#contract/errors.ts'
import {
  isSenderProven,
  type PictureSender,
  type RasterType,
  rasterTypeOf,
} from '#contract/mail/pictures.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { openMessage } from '#server/features/messages/get-message.ts'
import { remembered } from '#server/lib/cache.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { getRemote, NotFetched } from '#server/lib/remote/get-remote.ts'
import { openTurns, openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { addressesInHtml } from '#server/standards/reading/html-addresses.ts'
import { readOpened } from '#server/standards/reading/read-message.ts'
import {
  deletePictureSender,
  insertPictureSender,
  type PictureSenderRow,
  readPictureSenders,
} from './picture-sender-queries.ts'

const MAX_BYTES = 10_000_000
const WHOLE_MS = 10_000
const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif'
/** Per mailbox: a newsletter has at most a hundred. */
const LIMIT = { limit: 3_000, windowSeconds: HOUR_SECONDS }
/** Concurrent fetches per mailbox, so that slow servers in one message do not delay other mailboxes. */
const turns = openTurnsOfEach(6)
/** Concurrent fetches per workspace: a picture takes up to 10 MB of memory. */
const turnsOfWorkspace = openTurnsOfEach(12)
const turnsOfAll = openTurns(48)

export type Picture = { contentType: RasterType; content: Buffer }

/** `url` as the message has it. @throws NOT_EXISTS, FORBIDDEN, TOO_MANY_REQUESTS, PICTURE_UNAVAILABLE */
export const getPicture = async (
  app: App,
  who: Who,
  given: { mailboxId: string; messageId: string; url: string },
): Promise<Picture> => {
  const { blob } = await openMessage(app, who, given.mailboxId, given.messageId)
  if (!(await addressesOf(app, blob, who.workspaceId)).has(given.url))
    throw new AppError('NOT_EXISTS')
  await spendThrottle(app, `pictures ${given.mailboxId}`, LIMIT)
  return turns.take(given.mailboxId, () =>
    turnsOfWorkspace.take(who.workspaceId, () =>
      turnsOfAll.take(() => fetchPicture(app, given.url)),
    ),
  )
}

const fetchPicture = async (app: App, url: string): Promise<Picture> => {
  const network = { dns: app.dns, allowLoopbackPeers: app.config.allowLoopbackPeers }
  const limits = { accept: ACCEPT, maxBytes: MAX_BYTES, wholeMs: WHOLE_MS }
  try {
    const content = await getRemote(network, url.replace(/^\/\//, 'https://'), limits)
    const contentType = rasterTypeOf(content)
    if (contentType === null) throw new NotFetched('it is no picture')
    return { contentType, content }
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
    app.log.debug({ reason: error.message }, 'picture not fetched')
    throw new AppError('PICTURE_UNAVAILABLE')
  }
}

const addressesOf = (app: App, blob: string, by: string): Promise<Set<string>> =>
  remembered(app.caches.pictureAddresses, blob, () => readAddresses(app, blob, by))

const readAddresses = async (app: App, blob: string, by: string): Promise<Set<string>> =>
  addressesInHtml((await readOpened(await app.blobs.get(blob), by)).html ?? '')

/** The senders whose pictures are always shown in a mailbox. */
export const listPictureSenders = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<PictureSender[]> => {
  await openMailbox(app, who, mailboxId)
  return (await readPictureSenders(app.db, who.workspaceId, mailboxId)).map(toPictureSender)
}

/** @throws SENDER_NOT_PROVEN: a forged sender must not get the permission of the real one. */
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
