/** Writing in the browser: uploads, drafts that are saved while the writer types, and sending that can be undone. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { attachedFile, compose, person } from '../messages.ts'
import { route } from '../route.ts'

/** Largest file, and all files of a message together: base64 adds more than a third, and a message has at most 25 MB. */
export const MAX_UPLOAD_BYTES = 18_000_000

export const upload = z.object({
  _id: fields.id,
  filename: z.string(),
  contentType: z.string(),
  size: z.number().int(),
})
export type Upload = z.infer<typeof upload>

/**
 * A message being written. A file of `uploads` whose `_id` the HTML shows as `cid:` is an inline picture; the others are
 * attachments.
 */
const writing = compose
  .pick({ to: true, cc: true, bcc: true, from: true, subject: true, html: true, inReplyTo: true })
  .extend({
    uploads: z.array(fields.id).max(200).default([]),
    isPlainText: z
      .boolean()
      .optional()
      .describe('true: the message has no HTML, only the text of `html`.'),
    forwardOf: fields.line(100).optional().describe('The `_id` of the forwarded message.'),
    draft: fields.id.describe(
      'Chosen by the client and constant for a draft; for a draft that another client made, its `_id`.',
    ),
    writer: fields.id.describe(
      'Identifies one open form. A draft saved by another form is not overwritten unless this form began with it (`basedOn`).',
    ),
    save: z
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .describe('Grows with each save of this form: a save that arrives late changes nothing.'),
    basedOn: fields.line(100).optional().describe('The `revision` that this form opened.'),
  })
export type Writing = z.infer<typeof writing>

const recipients = z.array(z.string()).default([])

const savedDraft = z.object({
  _id: fields.id.describe('The message in Drafts.'),
  revision: z.string(),
  savedAt: z.iso.datetime(),
})

const draftDetails = z.object({
  draft: fields.id,
  revision: z.string(),
  uploads: z.array(upload),
  inReplyTo: z.string().nullable(),
  forwardOf: z.string().nullable(),
  unfinished: z
    .object({ to: recipients, cc: recipients, bcc: recipients })
    .describe('Recipients typed so far that are not addresses yet.'),
})
export type DraftDetails = z.infer<typeof draftDetails>

const inMailbox = z.object({ id: z.string() })

export const saveDraft = route({
  name: 'saveDraft',
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
  name: 'getDraft',
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
  name: 'uploadFile',
  method: 'POST',
  path: '/mailboxes/{id}/uploads',
  summary: 'Upload a file for a message; it is kept for a day, or as long as a draft has it',
  access: 'open-mailboxes',
  changes: ['drafts'],
  params: inMailbox,
  body: attachedFile,
  fileField: 'content',
  output: upload,
  errors: ['NOT_EXISTS', 'STORAGE_FULL'],
  status: 201,
  bodyLimitBytes: Math.ceil((MAX_UPLOAD_BYTES * 4) / 3) + 1_000_000,
})

export const copyAttachments = route({
  name: 'copyAttachments',
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
  name: 'removeUpload',
  method: 'DELETE',
  path: '/mailboxes/{id}/uploads/{uploadId}',
  summary: 'Forget an uploaded file',
  access: 'open-mailboxes',
  changes: ['drafts'],
  params: inMailbox.extend({ uploadId: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const sendWriting = route({
  name: 'sendWriting',
  method: 'POST',
  path: '/mailboxes/{id}/sends',
  summary:
    'Send what was written, in place of its draft. The same key sends once, however often it is asked',
  access: 'open-mailboxes',
  changes: ['messages', 'drafts'],
  params: inMailbox,
  body: writing.extend({ key: fields.id }),
  output: z.object({
    messageId: fields.id.describe('The copy in Sent.'),
    undoSeconds: z
      .number()
      .int()
      .describe('Seconds for which sending can be undone; 0: it is on its way.'),
  }),
  errors: [
    'NOT_EXISTS',
    'MAILBOX_NOT_ACTIVE',
    'MAILBOX_DELETED',
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
  name: 'undoSend',
  method: 'POST',
  path: '/mailboxes/{id}/sends/undo',
  summary:
    'Take a message back that still waits; it is a draft again. A key that never arrived sends nothing any more',
  access: 'open-mailboxes',
  changes: ['messages', 'drafts'],
  params: inMailbox,
  body: z.strictObject({
    key: fields.id,
    takeBack: z
      .boolean()
      .default(true)
      .describe('false: stops only a key that never arrived; a sent message stays sent.'),
  }),
  output: z.object({
    state: z.enum(['undone', 'sent']),
    messageId: fields.id.nullable().describe('null when the key never arrived.'),
  }),
  errors: ['NOT_EXISTS'],
})

export const suggestRecipients = route({
  name: 'suggestRecipients',
  method: 'GET',
  path: '/mailboxes/{id}/recipients',
  summary:
    'Whom a mailbox may mean by the letters typed: those it writes to and hears from, and its colleagues',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: inMailbox,
  query: z.strictObject({ q: fields.line(200).default('') }),
  output: z.array(person),
  errors: ['NOT_EXISTS'],
})
