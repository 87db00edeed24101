/** Writing in the browser: files that are uploaded once, drafts saved while one types, and sending that can be taken back. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { compose } from '../messages.ts'
import { route } from '../route.ts'

/** Of one file: as base64 it grows by more than a third, and a message has 25 MB at most. */
export const MAX_UPLOAD_BYTES = 18_000_000

export const upload = z.object({
  _id: fields.id,
  filename: z.string(),
  contentType: z.string(),
  size: z.number().int(),
})
export type Upload = z.infer<typeof upload>

const { filename, contentType, content } = compose.shape.attachments.unwrap().element.shape

/**
 * What is written. A file of `uploads` that the HTML shows as `cid:` and its `_id` is a picture of the text; the others are
 * attached.
 */
const writing = compose
  .pick({ to: true, cc: true, bcc: true, from: true, subject: true, html: true, inReplyTo: true })
  .extend({
    uploads: z.array(fields.id).max(200).default([]),
    /** The `_id` of the message that is passed on. */
    forwardOf: fields.line(100).optional(),
    /** Chosen by the writer: the same draft, whatever is written on it. Of a draft from elsewhere its `_id`. */
    draft: fields.id,
    /** One opened form. What another one saved is not written over, unless this one began with it: `basedOn`. */
    writer: fields.id,
    /** Grows with each save of this writer: one that comes late changes nothing. */
    save: z.number().int().min(1).max(1_000_000_000),
    /** The `revision` that was opened. */
    basedOn: fields.line(100).optional(),
  })
export type Writing = z.infer<typeof writing>

const recipients = z.array(z.string()).default([])

const savedDraft = z.object({
  /** The message in Drafts. */
  _id: fields.id,
  revision: z.string(),
  savedAt: z.iso.datetime(),
})

const draftDetails = z.object({
  draft: fields.id,
  revision: z.string(),
  uploads: z.array(upload),
  inReplyTo: z.string().nullable(),
  forwardOf: z.string().nullable(),
  /** Recipients that are no addresses yet. */
  unfinished: z.object({ to: recipients, cc: recipients, bcc: recipients }),
})
export type DraftDetails = z.infer<typeof draftDetails>

const inMailbox = z.object({ id: z.string() })

export const saveDraft = route({
  method: 'POST',
  path: '/mailboxes/{id}/drafts',
  summary: 'Save a draft, in place of what was saved of it before',
  access: 'open-mailboxes',
  changes: ['drafts', 'messages'],
  params: inMailbox,
  body: writing,
  output: savedDraft,
  errors: ['NOT_EXISTS', 'DRAFT_CHANGED', 'STORAGE_FULL'],
  bodyLimitBytes: 11_000_000,
})

export const getDraft = route({
  method: 'GET',
  path: '/mailboxes/{id}/drafts/{messageId}',
  summary: 'What a draft has besides its message: its files, and what it answers',
  access: 'open-mailboxes',
  reads: ['drafts'],
  params: inMailbox.extend({ messageId: z.string() }),
  output: draftDetails,
  errors: ['NOT_EXISTS'],
})

export const uploadFile = route({
  method: 'POST',
  path: '/mailboxes/{id}/uploads',
  summary:
    'Upload a file for messages that are being written; it is kept for a day, or as long as a draft has it',
  access: 'open-mailboxes',
  changes: ['drafts'],
  params: inMailbox,
  body: z.strictObject({ filename, contentType, content }),
  fileField: 'content',
  output: upload,
  errors: ['NOT_EXISTS', 'STORAGE_FULL'],
  status: 201,
  bodyLimitBytes: Math.ceil((MAX_UPLOAD_BYTES * 4) / 3) + 1_000_000,
})

export const copyAttachments = route({
  method: 'POST',
  path: '/mailboxes/{id}/uploads/copies',
  summary: 'Take attachments of a message as files for another one, in this order',
  access: 'open-mailboxes',
  changes: ['drafts'],
  params: inMailbox,
  body: z.strictObject({
    messageId: fields.line(100),
    parts: z.array(z.number().int().min(0).max(9999)).min(1).max(200),
  }),
  output: z.array(upload),
  errors: ['NOT_EXISTS', 'STORAGE_FULL'],
  status: 201,
})

export const removeUpload = route({
  method: 'DELETE',
  path: '/mailboxes/{id}/uploads/{uploadId}',
  summary: 'Forget an uploaded file',
  access: 'open-mailboxes',
  changes: ['drafts'],
  params: inMailbox.extend({ uploadId: z.string() }),
  output: z.object({ message: z.string() }),
  errors: ['NOT_EXISTS'],
})

export const sendWriting = route({
  method: 'POST',
  path: '/mailboxes/{id}/sends',
  summary:
    'Send what was written, in place of its draft. The same key sends once, however often it is asked',
  access: 'open-mailboxes',
  changes: ['messages', 'drafts'],
  params: inMailbox,
  body: writing.extend({ key: fields.id }),
  output: z.object({
    /** The copy in Sent. */
    messageId: fields.id,
    /** So long it still waits here and can be taken back; 0: it is on its way. */
    undoSeconds: z.number().int(),
  }),
  errors: [
    'NOT_EXISTS',
    'MAILBOX_NOT_ACTIVE',
    'DOMAIN_NOT_ACTIVE',
    'SENDING_STOPPED',
    'MAILBOX_SENDING_STOPPED',
    'SENDING_LIMIT',
    'SEND_UNDONE',
    'STORAGE_FULL',
  ],
  status: 201,
  bodyLimitBytes: 11_000_000,
})

export const undoSend = route({
  method: 'POST',
  path: '/mailboxes/{id}/sends/undo',
  summary:
    'Take a message back that still waits; it is a draft again. A key that never arrived sends nothing any more',
  access: 'open-mailboxes',
  changes: ['messages', 'drafts'],
  params: inMailbox,
  body: z.strictObject({
    key: fields.id,
    /** false: only a key that never arrived is stopped; what was sent stays so. */
    takeBack: z.boolean().default(true),
  }),
  output: z.object({
    state: z.enum(['undone', 'sent']),
    /** null when the key never arrived. */
    messageId: fields.id.nullable(),
  }),
  errors: ['NOT_EXISTS'],
})

export const suggestRecipients = route({
  method: 'GET',
  path: '/mailboxes/{id}/recipients',
  summary:
    'Whom a mailbox may mean by the letters typed: those it writes to and hears from, and its colleagues',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: inMailbox,
  query: z.strictObject({ q: fields.line(200).default('') }),
  output: z.array(z.object({ name: z.string(), address: z.string() })),
  errors: ['NOT_EXISTS'],
})
