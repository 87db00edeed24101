/** The initial content of a message: empty, a reply, forwarded, or a saved draft. */
import { getConversation } from '#contract/mail/conversations.ts'
import type { MailtoFields } from '#contract/mail/mailto.ts'
import { getDraft } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { getMessage, type Message } from '#contract/messages.ts'
import { getPreferences, type Preferences } from '#contract/profile.ts'
import { call } from '#web/lib/api/api.ts'
import { UserFacingError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { inlinePictures, readInlinePictures } from '#web/mail-content/attachment-files.ts'
import { forwardSubject, replyRecipients, replySubject } from './answer.ts'
import { type AttachedFile, dataUrlOf, uploaded } from './attached-files.ts'
import { type DraftIdentity, type LocalCopy, newDraft, newUuid } from './local-copies.ts'
import { plainAsHtml, textOfBody } from './plain-letter.ts'
import { editableHtml, forwardQuotation, replyQuotation, withoutQuotation } from './quotation.ts'
import { isOwnAddress, senderAmong } from './recipients/own-addresses.ts'
import { formatPerson } from './recipients/people.ts'

/** Attachments of a message, with their keys on the upload shelf and their places in it. */
export type FileCopies = { messageId: string; parts: [key: string, n: number][] }

export type ComposeStart = {
  from: string
  /** Addresses that the mailbox may send from, and the one that the answered message was sent to. */
  addresses: string[]
  to: string[]
  cc: string[]
  bcc: string[]
  /** Text in the box To that the writer is to correct. */
  toCorrect?: string
  subject: string
  /** HTML of the editor; of a plain text a paragraph for each line. */
  body: string
  /** true: written without formatting, and sent as text only. */
  isPlain: boolean
  quotation: string
  attachments: AttachedFile[]
  /** Those of `attachments` that the server copies while the writer types. */
  copies: FileCopies | undefined
  /** `_id` of the answered message. */
  inReplyTo: string | undefined
  /** `_id` of the forwarded message. */
  forwardOf: string | undefined
  identity: DraftIdentity
  /** Files that the server has: their `_id`s, by the URL of a picture in the text or by the key of a file. */
  known: [key: string, id: string][]
  /** The copy in this browser, when the server did not confirm a save. */
  localCopy: FormCopy | undefined
}

/** The content of the form. */
export type FormValues = Omit<ComposeStart, 'identity' | 'localCopy' | 'toCorrect'> & {
  /** Text in a recipient box that is not an entry yet. */
  typed: Record<'to' | 'cc' | 'bcc', string>
  isQuoted: boolean
}
export type FormCopy = LocalCopy<FormValues>

export type ComposeRequest = {
  title: string
  /** Unique for each opening. */
  key: string
  prepare: () => ComposeStart | Promise<ComposeStart>
  /** true: the recipients are known, so the text takes the focus. */
  isAnswer: boolean
  /** The same for two requests that mean one letter: the second shows the first. */
  about: string
  /** Id of a draft that was saved before. */
  draftId?: string
  /** `_id` of the message in whose thread the letter is written. */
  answers?: string
  /** Attached at once. */
  files?: readonly File[]
}

const empty = (own: readonly string[], from = own[0] ?? ''): ComposeStart => ({
  from,
  addresses: own.includes(from) ? [...own] : [...own, from],
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  body: '',
  isPlain: false,
  quotation: '',
  attachments: [],
  copies: undefined,
  inReplyTo: undefined,
  forwardOf: undefined,
  identity: newDraft(),
  known: [],
  localCopy: undefined,
})

const withSignature = async (mailbox: Mailbox): Promise<string> =>
  mailbox.signature === '' ? '' : `<p></p><p></p>${await editableHtml(mailbox.signature)}`

/** As the writer prefers to begin letters (decision 070). */
const asPreferred = (start: ComposeStart): ComposeStart =>
  queryClient.getQueryData<Preferences>(keyOf(getPreferences, {}))?.writesPlainText
    ? { ...start, isPlain: true, body: plainAsHtml(textOfBody(start.body)) }
    : start

/** `own`, here and below: the addresses of the mailbox, the main one first. The third argument: content from a mailto: link. */
export const newMessage = async (
  mailbox: Mailbox,
  own: readonly string[],
  { text, ...fields }: Partial<MailtoFields> = {},
): Promise<ComposeStart> =>
  asPreferred({
    ...empty(own),
    ...fields,
    body: (text ? plainAsHtml(text) : '') + (await withSignature(mailbox)),
  })

export async function replyTo(
  mailbox: Mailbox,
  own: readonly string[],
  message: Message,
  isToAll: boolean,
): Promise<ComposeStart> {
  return asPreferred({
    ...empty(own, senderOf(message, own)),
    ...replyRecipients(message, own, isToAll),
    subject: replySubject(message.subject),
    body: await withSignature(mailbox),
    quotation: await replyQuotation(message, await picturesOf(mailbox, message)),
    inReplyTo: message._id,
  })
}

export async function forward(
  mailbox: Mailbox,
  own: readonly string[],
  message: Message,
): Promise<ComposeStart> {
  return asPreferred({
    ...empty(own, senderOf(message, own)),
    subject: forwardSubject(message.subject),
    body: await withSignature(mailbox),
    quotation: await forwardQuotation(message, await picturesOf(mailbox, message)),
    ...filesOf(message),
    forwardOf: message._id,
  })
}

/** The sender of a reply: the own address that wrote the message, else the own address that it was sent to. */
const senderOf = ({ from, to, cc }: Message, own: readonly string[]): string =>
  senderAmong(from && isOwnAddress(from.address, own) ? [from] : [...to, ...cc], own)

/**
 * The message that a report says was not delivered, for another recipient. Those whom it reached are left out.
 * @throws UserFacingError when the message is no longer in its conversation
 */
export async function sendAgain(
  mailbox: Mailbox,
  own: readonly string[],
  report: Message,
  recipient: string,
): Promise<ComposeStart> {
  const original = await originalOf(mailbox, report)
  const pictures = await picturesOf(mailbox, original)
  return {
    ...empty(own, senderOf(original, own)),
    ...(await withoutQuotation(original.html ?? plainAsHtml(original.text), pictures)),
    ...filesOf(original),
    toCorrect: recipient,
    subject: original.subject,
  }
}

async function originalOf(mailbox: Mailbox, report: Message): Promise<Message> {
  const inMailbox = (messageId: string) => ({ params: { id: mailbox._id, messageId } })
  const { items } = await call(getConversation, inMailbox(report._id))
  // The report follows the message that it is about, perhaps after other reports.
  for (const { _id } of items.filter(({ date }) => date <= report.date).toReversed()) {
    const message = await call(getMessage, inMailbox(_id))
    if (isSameId(message.messageId, report.inReplyTo)) return message
  }
  throw new UserFacingError('The message that was not delivered is no longer here.')
}

const isSameId = (one: string, other: string | null): boolean =>
  one.replace(/[<>\s]/g, '') === other?.replace(/[<>\s]/g, '')

/** @throws ApiError NOT_EXISTS when the draft was sent or deleted elsewhere. */
export async function fromDraft(
  mailbox: Mailbox,
  own: readonly string[],
  draftId: string,
): Promise<ComposeStart> {
  const params = { id: mailbox._id, messageId: draftId }
  const [message, details] = await Promise.all([
    call(getMessage, { params }),
    call(getDraft, { params }),
  ])
  const pictures = await picturesOf(mailbox, message)
  const isPlain = message.html === null && message.text !== ''
  const content = isPlain
    ? { body: plainAsHtml(message.text.replace(/\r?\n$/, '')), quotation: '' }
    : await withoutQuotation(message.html ?? '', pictures)
  const { unfinished } = details
  // The part before the @ of a picture's Content-ID is the id of its upload.
  const pictureIds = [...pictures].map(([id, url]) => [url, id.slice(0, id.indexOf('@'))] as const)
  const known = pictureIds.filter(([, id]) => details.uploads.some(({ _id }) => _id === id))
  const files = details.uploads.filter(({ _id }) => !known.some(([, id]) => id === _id))
  const blank = empty(own, senderAmong(message.from ? [message.from] : [], own))
  return {
    ...blank,
    to: [...message.to.map(formatPerson), ...unfinished.to],
    cc: [...message.cc.map(formatPerson), ...unfinished.cc],
    bcc: [...message.bcc.map(formatPerson), ...unfinished.bcc],
    subject: message.subject,
    body: content.body,
    isPlain,
    quotation: content.quotation,
    inReplyTo: details.inReplyTo ?? undefined,
    forwardOf: details.forwardOf ?? undefined,
    identity: { ...blank.identity, draft: details.draft, basedOn: details.revision },
    ...(details.uploads.length > 0 ? { attachments: files.map(uploaded) } : filesOf(message)),
    known: [
      ...known.map(([url, id]): [string, string] => [url, id]),
      ...files.map(({ _id }): [string, string] => [_id, _id]),
    ],
  }
}

/** A message from the copy that a reload, a crash or an expired session left in this browser. */
export async function fromCopy(own: readonly string[], copy: FormCopy): Promise<ComposeStart> {
  const restored = withNewObjectUrls(copy)
  const { values, identity } = restored
  return {
    ...empty(own, values.from),
    quotation: values.quotation,
    body: values.body,
    isPlain: values.isPlain,
    inReplyTo: values.inReplyTo,
    forwardOf: values.forwardOf,
    identity,
    known: values.known,
    copies: values.copies,
    localCopy: restored,
  }
}

/** Object URLs end with their page, so pictures get new ones. */
function withNewObjectUrls(copy: FormCopy): FormCopy {
  const renewed = new Map(
    copy.pictures
      .filter(([key]) => key.startsWith('blob:'))
      .map(([key, picture]) => [key, URL.createObjectURL(picture)]),
  )
  const newKey = (key: string) => renewed.get(key) ?? key
  const { body, known } = copy.values
  return {
    ...copy,
    pictures: copy.pictures.map(([key, picture]) => [newKey(key), picture]),
    values: {
      ...copy.values,
      body: [...renewed].reduce((text, [before, now]) => text.replaceAll(before, now), body),
      known: known.map(([key, id]) => [newKey(key), id]),
    },
  }
}

/** Pictures as data: URLs, because they become part of the new message. */
async function picturesOf(mailbox: Mailbox, message: Message): Promise<Map<string, string>> {
  const pictures = await readInlinePictures(mailbox._id, message)
  const entries = [...pictures].map(async ([id, blob]) => [id, await dataUrlOf(blob)] as const)
  return new Map(await Promise.all(entries))
}

/** Those attachments of the message that are not part of its text. */
function filesOf(message: Message): Pick<ComposeStart, 'attachments' | 'copies'> {
  const inline = new Set(inlinePictures(message))
  const files = message.attachments
    .filter((file) => !inline.has(file))
    .map(({ n, filename, size }) => ({ n, key: newUuid(), filename, size }))
  if (files.length === 0) return { attachments: [], copies: undefined }
  return {
    attachments: files.map(({ key, filename, size }) => ({ key, filename, size })),
    copies: { messageId: message._id, parts: files.map(({ key, n }) => [key, n]) },
  }
}
