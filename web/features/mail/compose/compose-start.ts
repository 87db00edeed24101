/** How a message begins: empty, as an answer, forwarded, or as the draft that was saved. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { getMessage, type Message } from '#contract/messages.ts'
import { call } from '#web/lib/api/api.ts'
import { inlinePictures, readAttachment, readInlinePictures } from '../reader/attachment-files.ts'
import { forwardSubject, replyRecipients, replySubject } from './answer.ts'
import { type AttachedFile, attach, dataUrlOf } from './attached-files.ts'
import type { LetterStart } from './mailto.ts'
import { formatPerson } from './people.ts'
import {
  editableHtml,
  forwardQuotation,
  plainAsHtml,
  replyQuotation,
  withoutQuotation,
} from './quotation.ts'
import { isOwnAddress, senderAmong } from './sender/own-addresses.ts'

export type ComposeStart = {
  from: string
  /** What the mailbox may send as, and what it was written to at. */
  addresses: string[]
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  body: string
  quotation: string
  attachments: AttachedFile[]
  /** The `_id` of the message answered. */
  inReplyTo: string | undefined
  /** The saved draft that this replaces. */
  draftId: string | undefined
}

export type ComposeRequest = {
  title: string
  /** Different for every opening. */
  key: string
  prepare: () => ComposeStart | Promise<ComposeStart>
  /** The focus goes to the text: the recipients are known. */
  isAnswer: boolean
}

const empty = (own: readonly string[], from = own[0] ?? ''): ComposeStart => ({
  from,
  addresses: own.includes(from) ? [...own] : [...own, from],
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  body: '',
  quotation: '',
  attachments: [],
  inReplyTo: undefined,
  draftId: undefined,
})

const withSignature = async (mailbox: Mailbox): Promise<string> =>
  mailbox.signature === '' ? '' : `<p></p><p></p>${await editableHtml(mailbox.signature)}`

/** `own`, here and below: the addresses of the mailbox, its own first. `letter`: what a link asked for. */
export const newMessage = async (
  mailbox: Mailbox,
  own: readonly string[],
  { text, ...asked }: Partial<LetterStart> = {},
): Promise<ComposeStart> => ({
  ...empty(own),
  ...asked,
  body: (text ? plainAsHtml(text) : '') + (await withSignature(mailbox)),
})

export async function replyTo(
  mailbox: Mailbox,
  own: readonly string[],
  message: Message,
  isToAll: boolean,
): Promise<ComposeStart> {
  return {
    ...empty(own, senderOf(message, own)),
    ...replyRecipients(message, own, isToAll),
    subject: replySubject(message.subject),
    body: await withSignature(mailbox),
    quotation: await replyQuotation(message, await picturesOf(mailbox, message)),
    inReplyTo: message._id,
  }
}

export async function forward(
  mailbox: Mailbox,
  own: readonly string[],
  message: Message,
): Promise<ComposeStart> {
  return {
    ...empty(own, senderOf(message, own)),
    subject: forwardSubject(message.subject),
    body: await withSignature(mailbox),
    quotation: await forwardQuotation(message, await picturesOf(mailbox, message)),
    attachments: await filesOf(mailbox, message),
  }
}

/** Whoever wrote it goes on as the one they were; others as the one it was sent to. */
const senderOf = ({ from, to, cc }: Message, own: readonly string[]): string =>
  senderAmong(from && isOwnAddress(from.address, own) ? [from] : [...to, ...cc], own)

/** @throws ApiError NOT_EXISTS when it was sent or deleted elsewhere. */
export async function fromDraft(
  mailbox: Mailbox,
  own: readonly string[],
  draftId: string,
): Promise<ComposeStart> {
  const message = await call(getMessage, { params: { id: mailbox._id, messageId: draftId } })
  const pictures = await picturesOf(mailbox, message)
  const written = await withoutQuotation(message.html ?? plainAsHtml(message.text), pictures)
  return {
    ...empty(own, senderAmong(message.from ? [message.from] : [], own)),
    to: message.to.map(formatPerson),
    cc: message.cc.map(formatPerson),
    bcc: message.bcc.map(formatPerson),
    subject: message.subject,
    body: written.body,
    quotation: written.quotation,
    attachments: await filesOf(mailbox, message),
    inReplyTo: written.answers,
    draftId,
  }
}

/** As data: they become part of the new message. */
async function picturesOf(mailbox: Mailbox, message: Message): Promise<Map<string, string>> {
  const pictures = await readInlinePictures(mailbox._id, message)
  const entries = [...pictures].map(async ([id, blob]) => [id, await dataUrlOf(blob)] as const)
  return new Map(await Promise.all(entries))
}

async function filesOf(mailbox: Mailbox, message: Message): Promise<AttachedFile[]> {
  const inline = new Set(inlinePictures(message))
  const files = message.attachments.filter((attachment) => !inline.has(attachment))
  return Promise.all(
    files.map(async ({ n, filename, contentType }) =>
      attach(await readAttachment(mailbox._id, message._id, n), filename, contentType),
    ),
  )
}
