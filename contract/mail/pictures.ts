/** Remote pictures of a message, which the server fetches when the reader asks, and the senders whose pictures are always shown. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const pictureSender = z.object({
  _id: fields.id,
  address: z.string().describe('Lower case.'),
  createdAt: z.iso.datetime(),
})
export type PictureSender = z.infer<typeof pictureSender>

/** The results that the checks need before the sender of a message can be trusted. */
export const isSenderProven = (authentication: { dmarc: string } | null): boolean =>
  authentication === null || authentication.dmarc === 'pass'

/** The sender of this message. */
export const pictureSenderForm = z.strictObject({ messageId: fields.line(100) })

const inMailbox = z.object({ id: z.string() })

export const getPicture = route({
  name: 'getPicture',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/picture',
  summary: 'A picture from elsewhere that stands in the message: png, jpeg, gif, webp or avif',
  access: 'open-mailboxes',
  reads: ['content'],
  params: z.object({ id: z.string(), messageId: z.string() }),
  /** The URL as the message has it. */
  query: z.strictObject({ url: fields.line(4000).default('') }),
  output: z.string(),
  contentType: 'application/octet-stream',
  errors: ['NOT_EXISTS', 'PICTURE_UNAVAILABLE'],
})

export const listPictureSenders = route({
  name: 'listPictureSenders',
  method: 'GET',
  path: '/mailboxes/{id}/picture-senders',
  summary: 'The senders whose pictures are always shown, by address',
  access: 'open-mailboxes',
  reads: ['settings'],
  params: inMailbox,
  output: z.array(pictureSender),
  errors: ['NOT_EXISTS'],
})

export const addPictureSender = route({
  name: 'addPictureSender',
  method: 'POST',
  path: '/mailboxes/{id}/picture-senders',
  summary: 'Always show the pictures of the sender of a message, which the checks must have proven',
  access: 'open-mailboxes',
  changes: ['settings'],
  notAudited: 'A preference of its readers',
  params: inMailbox,
  body: pictureSenderForm,
  output: pictureSender,
  errors: ['NOT_EXISTS', 'SENDER_NOT_PROVEN'],
  status: 201,
})

export const removePictureSender = route({
  name: 'removePictureSender',
  method: 'DELETE',
  path: '/mailboxes/{id}/picture-senders/{senderId}',
  summary: 'Stop showing the pictures of this sender without being asked',
  access: 'open-mailboxes',
  changes: ['settings'],
  notAudited: 'A preference of its readers',
  params: inMailbox.extend({ senderId: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

/** The type of a picture by its first bytes, never by its declared type. */
export type RasterType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'

/** null for everything else. SVG is refused: it is a document that can contain scripts. */
export const rasterTypeOf = (bytes: Uint8Array): RasterType | null => {
  const text = String.fromCharCode(...bytes.subarray(0, 16))
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF[\s\S]{4}WEBPVP8/.test(text)) return 'image/webp'
  if (/^\0\0\0[\s\S]ftypavi[fs]/.test(text)) return 'image/avif'
  return null
}
