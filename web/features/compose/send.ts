/** Builds the requests that save a message as a draft or send it. */
import { saveDraft, sendWriting, undoSend } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { deleteMessage } from '#contract/messages.ts'
import type { Arguments, Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import type { DraftIdentity } from './local-copies.ts'
import { plainForMail, textOfBody } from './plain-letter.ts'
import { forMail, withoutPictures, withQuotation } from './quotation.ts'
import { FileUploadError } from './trouble.ts'
import type { UploadShelf } from './upload-shelf.ts'
import type { ComposeValues } from './use-compose-fields.ts'

type DraftRequest = Arguments<typeof saveDraft>['body']

const pictureIn = /(\bsrc=")((?:blob:|data:image\/)[^"]+)"/g

/** Uploads files and pictures first. @throws FileUploadError when an upload fails. */
export async function writingOf(
  mailbox: Mailbox,
  values: ComposeValues,
  shelf: UploadShelf,
  identity: DraftIdentity,
): Promise<DraftRequest> {
  const written = await htmlOf(values)
  const ids = new Map<string, string>()
  for (const [, , address = ''] of written.matchAll(pictureIn)) {
    if (ids.has(address)) continue
    if (!shelf.has(address)) shelf.put(address, decodeDataUrl(address), 'image')
    ids.set(address, await idOf(shelf, address, 'A picture'))
  }
  const html = written.replace(
    pictureIn,
    (_all, before: string, address: string) => `${before}cid:${ids.get(address)}"`,
  )
  const files = await Promise.all(
    values.attachments.map(({ key, filename }) => idOf(shelf, key, filename)),
  )
  const { from, to, cc, bcc, subject, inReplyTo, forwardOf } = values
  const { basedOn, ...rest } = identity
  return {
    ...{ to, cc, bcc, subject, uploads: [...files, ...ids.values()], ...rest },
    ...(from !== mailbox.email && { from }),
    ...(html !== '' && { html }),
    ...(values.isPlain && { isPlainText: true }),
    ...(inReplyTo && { inReplyTo }),
    ...(forwardOf && { forwardOf }),
    ...(basedOn && { basedOn }),
  }
}

async function htmlOf({ body, isPlain, quotation, isQuoted }: ComposeValues): Promise<string> {
  const quoted = isQuoted ? quotation : ''
  return isPlain
    ? withQuotation(plainForMail(textOfBody(body)), await withoutPictures(quoted))
    : withQuotation(await forMail(body), quoted)
}

const idOf = (shelf: UploadShelf, key: string, name: string): Promise<string> =>
  shelf.idOf(key).catch((error: unknown) => Promise.reject(new FileUploadError(name, error)))

/** Decodes a data: URL. The Content-Security-Policy of our pages forbids fetching one. */
function decodeDataUrl(address: string): Blob {
  const [head = '', data = ''] = address.split(',')
  const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (sign) => sign.charCodeAt(0))
  return new Blob([bytes], { type: /^data:([\w/+.-]+)/.exec(head)?.[1] ?? '' })
}

/** A connection that breaks silently leaves requests without an answer. After these times they are repeated, which is safe. */
const SAVE_TIMEOUT_MS = 15_000
const SEND_TIMEOUT_MS = 45_000

export const save = (mailbox: Mailbox, writing: DraftRequest): Promise<Output<typeof saveDraft>> =>
  call(
    saveDraft,
    { params: { id: mailbox._id }, body: writing },
    { signal: AbortSignal.timeout(SAVE_TIMEOUT_MS) },
  )

export const send = (
  mailbox: Mailbox,
  writing: DraftRequest,
  key: string,
): Promise<Output<typeof sendWriting>> =>
  call(
    sendWriting,
    { params: { id: mailbox._id }, body: { ...writing, key } },
    { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) },
  )

/** `takeBack` false: stops only a message that the server has not received. */
export const undo = (
  mailboxId: string,
  key: string,
  takeBack: boolean,
): Promise<Output<typeof undoSend>> =>
  call(undoSend, { params: { id: mailboxId }, body: { key, takeBack } })

export const removeDraft = (mailbox: Mailbox, messageId: string): Promise<unknown> =>
  call(deleteMessage, { params: { id: mailbox._id, messageId } })

/** Ids of uploads that the server has lost, from its validation error. */
export const lostFiles = (error: unknown, writing: DraftRequest | null): string[] =>
  error instanceof ApiError && error.type === 'VALIDATION'
    ? Object.keys(error.data).flatMap((field) => {
        const n = /^uploads\.(\d+)$/.exec(field)?.[1]
        return writing?.uploads?.[Number(n ?? -1)] ?? []
      })
    : []
