/** What goes to the server of a message that is being written: saved as a draft, or sent. */
import { saveDraft, sendWriting, undoSend } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { deleteMessage } from '#contract/messages.ts'
import type { Arguments, Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import type { DraftIdentity } from './local-copies.ts'
import { forMail, withQuotation } from './quotation.ts'
import { FileTrouble } from './trouble.ts'
import type { UploadShelf } from './upload-shelf.ts'
import type { ComposeValues } from './use-compose-fields.ts'

type Writing = Arguments<typeof saveDraft>['body']

const pictureIn = /(\bsrc=")((?:blob:|data:image\/)[^"]+)"/g

/** Uploads what is not uploaded yet. @throws what uploading throws. */
export async function writingOf(
  mailbox: Mailbox,
  values: ComposeValues,
  shelf: UploadShelf,
  identity: DraftIdentity,
): Promise<Writing> {
  const written = withQuotation(await forMail(values.body), values.isQuoted ? values.quotation : '')
  const ids = new Map<string, string>()
  for (const [, , address = ''] of written.matchAll(pictureIn)) {
    if (ids.has(address)) continue
    if (!shelf.has(address)) shelf.put(address, dataAt(address), 'image')
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
    ...(inReplyTo && { inReplyTo }),
    ...(forwardOf && { forwardOf }),
    ...(basedOn && { basedOn }),
  }
}

const idOf = (shelf: UploadShelf, key: string, name: string): Promise<string> =>
  shelf.idOf(key).catch((error: unknown) => Promise.reject(new FileTrouble(name, error)))

/** Of a data: address: our policy lets no page fetch one. */
function dataAt(address: string): Blob {
  const [head = '', data = ''] = address.split(',')
  const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (sign) => sign.charCodeAt(0))
  return new Blob([bytes], { type: /^data:([\w/+.-]+)/.exec(head)?.[1] ?? '' })
}

/** A line that is lost without a word leaves requests without an answer: these are asked again, which does no harm. */
const SAVE_WITHIN_MS = 15_000
const SEND_WITHIN_MS = 45_000

export const save = (mailbox: Mailbox, writing: Writing): Promise<Output<typeof saveDraft>> =>
  call(
    saveDraft,
    { params: { id: mailbox._id }, body: writing },
    { signal: AbortSignal.timeout(SAVE_WITHIN_MS) },
  )

export const send = (
  mailbox: Mailbox,
  writing: Writing,
  key: string,
): Promise<Output<typeof sendWriting>> =>
  call(
    sendWriting,
    { params: { id: mailbox._id }, body: { ...writing, key } },
    { signal: AbortSignal.timeout(SEND_WITHIN_MS) },
  )

/** `takeBack` false: only what never arrived is stopped. */
export const undo = (
  mailboxId: string,
  key: string,
  takeBack: boolean,
): Promise<Output<typeof undoSend>> =>
  call(undoSend, { params: { id: mailboxId }, body: { key, takeBack } })

export const removeDraft = (mailbox: Mailbox, messageId: string): Promise<unknown> =>
  call(deleteMessage, { params: { id: mailbox._id, messageId } })

/** Which files the server has lost. */
export const lostFiles = (error: unknown, writing: Writing | null): string[] =>
  error instanceof ApiError && error.type === 'VALIDATION'
    ? Object.keys(error.data).flatMap((field) => {
        const n = /^uploads\.(\d+)$/.exec(field)?.[1]
        return writing?.uploads?.[Number(n ?? -1)] ?? []
      })
    : []
