/**
 * Shows the invitation that a message carries, and sends the organiser an answer by the ordinary way of sending, so that its
 * limits hold (decision 073). Keeps no calendar.
 */
import { AppError } from '#contract/errors.ts'
import {
  type EventAnswer,
  type EventInvitation,
  eventAnswer,
} from '#contract/mail/event-invitation.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { inMailbox } from '#server/features/messages/change-messages.ts'
import { answerKeyword, lockMessage, noteAnswer } from '#server/features/messages/change-queries.ts'
import { getMessage, openMessage } from '#server/features/messages/get-message.ts'
import { readFiles } from '#server/features/messages/structures/read-files.ts'
import { listAddresses, sendMessage } from '#server/features/sending/send-message.ts'
import {
  type CalendarInvitation,
  invitationIn,
  replyTo,
} from '#server/standards/calendar/invitation.ts'

/** Of one message; mail has one or two copies. */
const MOST_PARTS = 4
const MAX_BYTES = 1_000_000

type Answer = { invitation: EventInvitation | null }

/** @throws NOT_EXISTS, FORBIDDEN */
export const getInvitation = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<Answer> => {
  const found = await findInvitation(app, who, mailboxId, messageId)
  return { invitation: found && toAnswer(found, found.answer) }
}

/** @throws NOT_EXISTS also when there is nobody to answer; and all that `sendMessage` does */
export const answerInvitation = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
  answer: EventAnswer,
): Promise<Answer> => {
  const found = await findInvitation(app, who, mailboxId, messageId)
  const organizer = found?.invitation.organizer
  if (!found || !organizer || found.invitation.isCancelled) throw new AppError('NOT_EXISTS')
  const addresses = await listAddresses(app, who, mailboxId)
  const invited = found.invitation.guests.find(({ address }) => addresses.includes(address))
  const address = invited?.address ?? addresses[0] ?? ''
  const guest = { name: invited?.name ?? '', address }
  const content = replyTo(found.text, { answer, guest, at: app.clock.now() })
  if (content === null) throw new AppError('NOT_EXISTS')
  const subject = `${verbs[answer]}: ${found.invitation.title || found.subject}`.slice(0, 900)
  await sendMessage(app, who, mailboxId, {
    ...{ to: [organizer.address], cc: [], bcc: [], from: address, subject, attachments: [] },
    text: `${guest.name || address} ${sentences[answer]}\n`,
    ...{ calendar: { method: 'REPLY', content }, inReplyTo: messageId, draft: false },
  })
  await inMailbox(app, who, mailboxId, async (tx, place) => {
    const message = await lockMessage(tx, { ...place, messageId })
    if (message === undefined) return
    const { modseq } = await touchFolder(tx, message.folderId, { messages: 0, unread: 0, uids: 0 })
    await noteAnswer(tx, { ...place, messageId }, { answer, modseq })
  })
  return { invitation: toAnswer(found, answer) }
}

const verbs: Record<EventAnswer, string> = {
  ...{ accepted: 'Accepted', declined: 'Declined', tentative: 'Maybe' },
}
const sentences: Record<EventAnswer, string> = {
  accepted: 'will attend.',
  declined: 'will not attend.',
  tentative: 'may attend.',
}

type Found = {
  invitation: CalendarInvitation
  text: string
  subject: string
  answer: EventAnswer | null
  copies: number[]
}

const findInvitation = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<Found | null> => {
  const row = await openMessage(app, who, mailboxId, messageId)
  const { attachments } = await getMessage(app, who, mailboxId, messageId)
  const parts = attachments.filter(
    ({ contentType, size }) =>
      /^(?:text\/calendar|application\/ics)$/i.test(contentType) && size <= MAX_BYTES,
  )
  const read: { n: number; text: string; invitation: CalendarInvitation }[] = []
  const chosen = parts.slice(0, MOST_PARTS).map(({ n }) => n)
  if (chosen.length === 0) return null
  const files = await readFiles(app, { workspaceId: who.workspaceId, mailboxId }, row, chosen)
  for (const [at, { content }] of (files ?? []).entries()) {
    const [n = 0, text] = [chosen[at], new TextDecoder().decode(content)]
    const invitation = invitationIn(text)
    if (invitation) read.push({ n, text, invitation })
  }
  const [first] = read
  if (first === undefined) return null
  const same = read.filter(({ invitation }) => invitation.uid === first.invitation.uid)
  const answer = row.keywords.map((keyword) => answerOf.get(keyword)).find((known) => known) ?? null
  return { ...first, subject: row.subject, answer, copies: same.slice(0, -1).map(({ n }) => n) }
}

const answerOf = new Map(eventAnswer.options.map((answer) => [answerKeyword(answer), answer]))

const toAnswer = ({ invitation, copies }: Found, answer: EventAnswer | null): EventInvitation => {
  const { uid: _uid, sequence, ...shown } = invitation
  return { ...shown, isUpdate: sequence > 0, answer, copies }
}
