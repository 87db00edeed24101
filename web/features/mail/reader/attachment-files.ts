/** Attachments of stored messages. They are only ever saved to a file: a page of ours never opens one. */
import type { Message } from '#contract/messages.ts'
import { open } from '#web/lib/api/api.ts'
import { saveAs } from '#web/lib/save-as.ts'

type Attachment = Message['attachments'][number]

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

/** The message as it was received. */
export async function downloadSource(mailboxId: string, message: Message): Promise<void> {
  const response = await open(`${addressOf(mailboxId, message._id)}/raw`)
  const name = message.subject.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 80) || 'message'
  saveAs(await response.blob(), `${name}.eml`)
}

const raster = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const MAX_INLINE_BYTES = 15_000_000

/** The pictures that the HTML of a message shows by Content-ID; anything but raster pictures is left out. */
export const inlinePictures = (message: Message): Attachment[] => {
  const html = message.html?.toLowerCase() ?? ''
  let bytes = 0
  return message.attachments.filter(({ contentId, contentType, size }) => {
    const isShown =
      contentId !== null &&
      raster.has(contentType.toLowerCase()) &&
      (html.includes(`cid:${contentId.toLowerCase()}`) ||
        html.includes(`cid:${encodeURIComponent(contentId).toLowerCase()}`))
    if (isShown) bytes += size
    return isShown && bytes <= MAX_INLINE_BYTES
  })
}

/** By Content-ID. One that cannot be read is missing. */
export async function readInlinePictures(
  mailboxId: string,
  message: Message,
  signal?: AbortSignal,
): Promise<Map<string, Blob>> {
  const pictures = new Map<string, Blob>()
  await Promise.all(
    inlinePictures(message).map(async ({ n, contentId, contentType }) => {
      const blob = await readAttachment(mailboxId, message._id, n, signal).catch(() => null)
      if (blob && contentId !== null)
        pictures.set(contentId, new Blob([blob], { type: contentType.toLowerCase() }))
    }),
  )
  return pictures
}
