/** The initial content of a message: empty, a reply, forwarded, or a saved draft. */
import { copyAttachments, getDraft } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { getMessage, type Message } from '#contract/messages.ts'
import { call } from '#web/lib/api/api.ts'
import { inlinePictures, readInlinePictures } from '#web/mail-content/attachment-files.ts'
import type { MailtoFields } from '#web/mail-content/mailto.ts'
import { forwardSubject, replyRecipients, replySubject } from './answer.ts'
import { type AttachedFile, dataUrlOf, uploaded } from './attached-files.ts'
import { type DraftIdentity, type LocalCopy, newDraft } from './local-copies.ts'
import { isOwnAddress, senderAmong } from './own-addresses.ts'
import { formatPerson } from './people.ts'
import {
  editableHtml,
  forwardQuotation,
  plainAsHtml,
  replyQuotation,
  withoutQuotation,
} from './quotation.ts'

export type ComposeStart = {
  from: string
  /** Addresses that the mailbox may send from, and the one that the answered message was sent to. */
  addresses: string[]
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  body: string
  quotation: string
  attachments: AttachedFile[]
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
export type FormValues = Omit<ComposeStart, 'identity' | 'localCopy'> & {
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
  /** Id of a draft that was saved before. */
  draftId?: string
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
  forwardOf: undefined,
  identity: newDraft(),
  known: [],
  localCopy: undefined,
})

const withSignature = async (mailbox: Mailbox): Promise<string> =>
  mailbox.signature === '' ? '' : `<p></p><p></p>${await editableHtml(mailbox.signature)}`

/** `own`, here and below: the addresses of the mailbox, the main one first. The third argument: content from a mailto: link. */
export const newMessage = async (
  mailbox: Mailbox,
  own: readonly string[],
  { text, ...fields }: Partial<MailtoFields> = {},
): Promise<ComposeStart> => ({
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
    ...(await filesOf(mailbox, message)),
    forwardOf: message._id,
  }
}

/** The sender of a reply: the own address that wrote the message, else the own address that it was sent to. */
const senderOf = ({ from, to, cc }: Message, own: readonly string[]): string =>
  senderAmong(from && isOwnAddress(from.address, own) ? [from] : [...to, ...cc], own)

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
  const content = await withoutQuotation(message.html ?? plainAsHtml(message.text), pictures)
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
    quotation: content.quotation,
    inReplyTo: details.inReplyTo ?? undefined,
    forwardOf: details.forwardOf ?? undefined,
    identity: { ...blank.identity, draft: details.draft, basedOn: details.revision },
    ...(details.uploads.length > 0 ? filesIn(files) : await filesOf(mailbox, message)),
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
    inReplyTo: values.inReplyTo,
    forwardOf: values.forwardOf,
    identity,
    known: values.known,
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

type Files = Pick<ComposeStart, 'attachments' | 'known'>

const filesIn = (uploads: Parameters<typeof uploaded>[0][]): Files => ({
  attachments: uploads.map(uploaded),
  known: uploads.map(({ _id }) => [_id, _id]),
})

/** The server copies the attachments from one message to the other. */
async function filesOf(mailbox: Mailbox, message: Message): Promise<Files> {
  const inline = new Set(inlinePictures(message))
  const parts = message.attachments.filter((file) => !inline.has(file)).map(({ n }) => n)
  if (parts.length === 0) return { attachments: [], known: [] }
  const body = { messageId: message._id, parts }
  return filesIn(await call(copyAttachments, { params: { id: mailbox._id }, body }))
}
