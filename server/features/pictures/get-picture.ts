/**
 * Pictures of a message from elsewhere, so that the sender sees our address and never the reader's. No open proxy: an
 * address is fetched for a reader of the mailbox, when it stands in the message.
 */
import { AppError } from '#contract/errors.ts'
import { type RasterType, rasterTypeOf } from '#contract/mail/pictures.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { openMessage } from '#server/features/messages/get-message.ts'
import { getRemote, NotFetched } from '#server/lib/remote/get-remote.ts'
import { openTurns, openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { addressesInHtml } from '#server/standards/reading/html-addresses.ts'
import { readOpened } from '#server/standards/reading/read-message.ts'

const MAX_BYTES = 10_000_000
const WHOLE_MS = 10_000
const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif'
/** Of one mailbox: a newsletter has a hundred at most. */
const LIMIT = { limit: 3_000, windowSeconds: 3_600 }
/** Of one mailbox at once, so that slow servers of one mail keep nobody else waiting. */
const turns = openTurnsOfEach(6)
/** A workspace may have hundreds of mailboxes, and each picture is 10 MB in memory. */
const turnsOfWorkspace = openTurnsOfEach(12)
const turnsOfAll = openTurns(48)
const KNOWN_MESSAGES = 50

export type Picture = { contentType: RasterType; content: Buffer }

/** `url` as it stands in the message. @throws NOT_EXISTS, FORBIDDEN, TOO_MANY_REQUESTS, PICTURE_UNAVAILABLE */
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

/** By blob: what a message holds never changes, and each of its pictures asks. */
const known = new Map<string, Promise<Set<string>>>()

const addressesOf = (app: App, blob: string, by: string): Promise<Set<string>> => {
  const before = known.get(blob)
  if (before) return before
  const found = readAddresses(app, blob, by)
  known.set(blob, found)
  found.catch(() => known.delete(blob))
  const [oldest] = known.keys()
  if (known.size > KNOWN_MESSAGES && oldest) known.delete(oldest)
  return found
}

const readAddresses = async (app: App, blob: string, by: string): Promise<Set<string>> =>
  addressesInHtml((await readOpened(await app.blobs.get(blob), by)).html ?? '')
