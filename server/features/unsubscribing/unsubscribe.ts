/**
 * Leaves the list that sent a message, when the reader asks. The server posts only to an address that a verified DKIM signature
 * covers (RFC 8058), through the network guard, and never sends a GET: a link that is only fetched must change nothing. To a mailto:
 * address it sends a message (RFC 2369), which then is in Sent (decision 064).
 */
import { AppError } from '#contract/errors.ts'
import { parseMailto } from '#contract/mail/mailto.ts'
import type { UnsubscribeOffer } from '#contract/mail/unsubscribe.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { openMessage } from '#server/features/messages/get-message.ts'
import { readStart } from '#server/features/messages/structures/read-parts.ts'
import { listAddresses, sendMessage } from '#server/features/sending/send-message.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { NotFetched, postForm } from '#server/lib/remote/get-remote.ts'
import { openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { type ListOffer, listOfferIn } from '#server/standards/list-unsubscribe.ts'
import {
  type ListPlace,
  readUnsubscribedAt,
  storeUnsubscription,
} from './unsubscription-queries.ts'

/** Per mailbox. */
const LIMIT = { limit: 60, windowSeconds: HOUR_SECONDS }
const WHOLE_MS = 10_000
const turnsOfWorkspace = openTurnsOfEach(4)

/** @throws NOT_EXISTS, FORBIDDEN */
export const getUnsubscribeOffer = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<UnsubscribeOffer> => {
  const { offer, place } = await readOffer(app, who, mailboxId, messageId)
  return toAnswer(offer, await readUnsubscribedAt(app.db, place))
}

/** @throws NOT_EXISTS, FORBIDDEN, NO_ONE_CLICK, TOO_MANY_REQUESTS, UNSUBSCRIBE_FAILED, and what sending a message throws */
export const unsubscribe = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<UnsubscribeOffer> => {
  const { offer, place, sentTo } = await readOffer(app, who, mailboxId, messageId)
  if (offer === null || offer.way === 'page') throw new AppError('NO_ONE_CLICK')
  await spendThrottle(app, `unsubscribe ${mailboxId}`, LIMIT)
  if (offer.way === 'mail') await writeToList(app, who, mailboxId, { target: offer.target, sentTo })
  else await turnsOfWorkspace.take(who.workspaceId, () => askList(app, offer.target))
  const createdAt = app.clock.now()
  await storeUnsubscription(app.db, { ...place, id: newId(createdAt.getTime()), createdAt })
  return toAnswer(offer, createdAt)
}

type ListMail = {
  /** The mailto: address. */
  target: string
  /** Addresses that the list wrote to: it knows the reader by one of them. */
  sentTo: string[]
}

const writeToList = async (
  app: App,
  who: Who,
  mailboxId: string,
  { target, sentTo }: ListMail,
): Promise<void> => {
  const { to, subject, text } = letterTo(target)
  const own = await listAddresses(app, who, mailboxId)
  await sendMessage(app, who, mailboxId, {
    ...{ to: [to], cc: [], bcc: [], subject, text },
    ...{ from: own.find((address) => sentTo.includes(address)), attachments: [], draft: false },
  })
}

/** Enough for a command and a token: a stranger wrote it, and it goes out in the reader's name. */
const MOST_SUBJECT = 200
const MOST_TEXT = 500

const letterTo = (target: string) => {
  const { to, subject, text } = parseMailto(target)
  return {
    to: to[0] ?? '',
    subject: subject.slice(0, MOST_SUBJECT) || 'unsubscribe',
    text: text.slice(0, MOST_TEXT),
  }
}

const askList = async (app: App, url: string): Promise<void> => {
  const network = { dns: app.dns, allowLoopbackPeers: app.config.allowLoopbackPeers }
  try {
    await postForm(network, url, 'List-Unsubscribe=One-Click', WHOLE_MS)
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
    app.log.debug({ reason: error.message }, 'not unsubscribed')
    throw new AppError('UNSUBSCRIBE_FAILED', { message: failureOf(url, error.message) })
  }
}

const failureOf = (url: string, reason: string): string =>
  `${new URL(url).hostname} did not accept it: ${reason}. You may still get mail from this list`

const readOffer = async (app: App, who: Who, mailboxId: string, messageId: string) => {
  const row = await openMessage(app, who, mailboxId, messageId)
  const isSigned = row.authentication?.dkim === 'pass'
  const start = await readStart(app, { workspaceId: who.workspaceId, mailboxId }, row)
  const { offer, listId } = listOfferIn(start, isSigned ? app.config.mailHost : null)
  const list = (listId || row.from?.address || '').toLowerCase().slice(0, 500)
  const place: ListPlace = { workspaceId: who.workspaceId, mailboxId, list }
  const sentTo = [...row.to, ...row.cc].map(({ address }) => address.toLowerCase())
  return { offer, place, sentTo }
}

const toAnswer = (offer: ListOffer | null, at: Date | null): UnsubscribeOffer => ({
  way: offer?.way ?? null,
  ...shownOf(offer),
  unsubscribedAt: at?.toISOString() ?? null,
})

const shownOf = (offer: ListOffer | null): Pick<UnsubscribeOffer, 'target' | 'letter'> => {
  if (offer?.way !== 'mail') {
    const target = offer?.way === 'one-click' ? new URL(offer.target).host : (offer?.target ?? '')
    return { target, letter: null }
  }
  const { to, ...letter } = letterTo(offer.target)
  return { target: to, letter }
}
