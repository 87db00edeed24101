/** Attachments of stored messages. All can be downloaded; only raster pictures and PDF are displayed. */
import { rasterTypeOf } from '#contract/mail/pictures.ts'
import type { Message } from '#contract/messages.ts'
import { open } from '#web/lib/api/api.ts'
import { saveAs } from '#web/lib/save-as.ts'

export type Attachment = Message['attachments'][number]

const addressOf = (mailboxId: string, messageId: string): string =>
  `/mailboxes/${encodeURIComponent(mailboxId)}/messages/${encodeURIComponent(messageId)}`

export async function readAttachment(
  mailboxId: string,
  messageId: string,
  n: number,
  signal?: AbortSignal,
): Promise<Blob> {
  const path = `${addressOf(mailboxId, messageId)}/attachments/${n}`
  return (await open(path, signal ? { signal } : {})).blob()
}

export async function downloadAttachment(
  mailboxId: string,
  messageId: string,
  { n, filename }: Attachment,
): Promise<void> {
  saveAs(await readAttachment(mailboxId, messageId, n), filename)
}

/** Saves all attachments as one archive, named for the message. */
export async function downloadAll(mailboxId: string, message: Message): Promise<void> {
  const answer = await open(`${addressOf(mailboxId, message._id)}/attachments`)
  saveAs(await answer.blob(), `${fileStemOf(message.subject)}.zip`)
}

const fileStemOf = (subject: string): string =>
  subject.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 80) || 'message'

/** Returns the message source as it was received. */
export async function readSource(
  mailboxId: string,
  messageId: string,
  signal?: AbortSignal,
): Promise<Blob> {
  const path = `${addressOf(mailboxId, messageId)}/raw`
  return (await open(path, signal ? { signal } : {})).blob()
}

export async function downloadSource(mailboxId: string, message: Message): Promise<void> {
  saveAs(await readSource(mailboxId, message._id), `${fileStemOf(message.subject)}.eml`)
}

/** Whether the file may be a raster picture; its first bytes decide. Some programs send pictures as application/octet-stream. */
const mayBeRaster = (contentType: string): boolean =>
  /^(?:image\/(?!svg)|application\/octet-stream$)/i.test(contentType)

/**
 * Returns the picture with the type that its bytes have. null: not a raster picture, which browsers show without running code.
 */
export async function asPicture(blob: Blob): Promise<Blob | null> {
  const type = rasterTypeOf(new Uint8Array(await blob.slice(0, 16).arrayBuffer()))
  return type && new Blob([blob], { type })
}

const MAX_INLINE_BYTES = 15_000_000

/** The pictures that the HTML shows by Content-ID, raster only, up to MAX_INLINE_BYTES together. */
export const inlinePictures = (message: Message): Attachment[] => {
  const html = message.html?.toLowerCase() ?? ''
  let bytes = 0
  return message.attachments.filter(({ contentId, contentType, size }) => {
    const isShown =
      contentId !== null &&
      mayBeRaster(contentType) &&
      (html.includes(`cid:${contentId.toLowerCase()}`) ||
        html.includes(`cid:${encodeURIComponent(contentId).toLowerCase()}`))
    if (isShown) bytes += size
    return isShown && bytes <= MAX_INLINE_BYTES
  })
}

/** Returns pictures by Content-ID. Leaves out those that cannot be read or are not pictures. */
export async function readInlinePictures(
  mailboxId: string,
  message: Message,
  signal?: AbortSignal,
): Promise<Map<string, Blob>> {
  const pictures = new Map<string, Blob>()
  await Promise.all(
    inlinePictures(message).map(async ({ n, contentId }) => {
      const blob = await readAttachment(mailboxId, message._id, n, signal).catch(() => null)
      const picture = blob && (await asPicture(blob))
      if (picture && contentId !== null) pictures.set(contentId, picture)
    }),
  )
  return pictures
}
