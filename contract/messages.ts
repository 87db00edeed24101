/** Mail of one mailbox: folders, messages, sending. */
import { z } from 'zod'
import * as fields from './fields.ts'
import { route } from './route.ts'

export const folderRole = z.enum(['inbox', 'sent', 'drafts', 'junk', 'trash', 'archive'])
export type FolderRole = z.infer<typeof folderRole>

export const folder = z.object({
  _id: fields.id,
  role: folderRole.nullable().describe("null for the user's own folders."),
  name: z.string(),
  messages: z.number().int(),
  unread: z.number().int(),
})
export type Folder = z.infer<typeof folder>

export const person = z.object({ name: z.string(), address: z.string() })
export type Person = z.infer<typeof person>

export const messageSummary = z.object({
  _id: fields.id,
  subject: z.string(),
  from: person.nullable(),
  to: z.array(person),
  date: z.iso.datetime(),
  preview: z.string(),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  isAnswered: z.boolean(),
  isForwarded: z.boolean(),
  hasAttachments: z.boolean(),
  size: z.number().int().describe('Bytes.'),
})
export type MessageSummary = z.infer<typeof messageSummary>

export const attachment = z.object({
  n: z.number().int().describe('Position in the message, for `.../attachments/{n}`.'),
  filename: z.string(),
  contentType: z.string(),
  size: z.number().int(),
  contentId: z
    .string()
    .nullable()
    .describe('Content-ID without brackets when the HTML refers to it.'),
  width: z
    .number()
    .int()
    .nullable()
    .describe(
      'Pixels, as the beginning of a picture with a Content-ID says them; null where they are not known.',
    ),
  height: z.number().int().nullable(),
})

/** Results of the checks of a received message; `none` when not applicable. */
export const authentication = z.object({
  spf: z.string(),
  dkim: z.string(),
  dmarc: z.string(),
  arc: z.string(),
})
export type Authentication = z.infer<typeof authentication>

/** Result of the junk filter for a received message. */
export const junk = z.object({
  score: z.number(),
  isJunk: z.boolean().describe('true: it was filed in Junk on arrival.'),
  reasons: z
    .array(z.object({ text: z.string(), points: z.number() }))
    .describe('In plain words, heaviest first.'),
})
export type Junk = z.infer<typeof junk>

export const message = messageSummary.extend({
  folder: z.string(),
  cc: z.array(person),
  bcc: z.array(person).describe("Only on the sender's own copy."),
  replyTo: z.array(person),
  messageId: z.string(),
  inReplyTo: z.string().nullable(),
  text: z.string(),
  html: z
    .string()
    .nullable()
    .describe('As received: show it only sanitised and in the sandboxed frame.'),
  isSource: z
    .boolean()
    .describe('true: its MIME parts could not be parsed; `text` is the raw message.'),
  attachments: z.array(attachment),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  authentication: authentication.nullable(),
  junk: junk.nullable().describe('null for a message written on this server.'),
})
export type Message = z.infer<typeof message>

export const MAX_RECIPIENTS = 100

const recipients = z
  .array(fields.line(1_000))
  .max(MAX_RECIPIENTS, `At most ${MAX_RECIPIENTS} recipients`)

export const attachedFile = z.strictObject({
  filename: fields.line(255),
  contentType: fields.line(255).regex(/^[\w.+-]+\/[\w.+-]+$/, 'Not a content type'),
  content: z
    .string()
    // No two parts of the pattern match the same character, so that 30 MB are checked in linear time.
    .regex(/^[A-Za-z0-9+/\r\n]*(?:={1,2}[\r\n]*)?$/, 'Not base64')
    .describe('The file in base64.'),
})

/** Recipients as plain addresses or 'Name <address>'. */
export const compose = z.strictObject({
  to: recipients.default([]),
  cc: recipients.default([]),
  bcc: recipients.default([]),
  from: fields
    .line(320)
    .optional()
    .describe(
      "The mailbox's address, one of its aliases, or one of these with a +tag; absent: the mailbox's address.",
    ),
  // The form in the browser stops at 900 characters, which leaves room for the prefix of an answer.
  subject: fields.line(1_000).default(''),
  text: fields.multiline(5_000_000).default(''),
  html: fields.multiline(5_000_000).optional(),
  attachments: z.array(attachedFile).max(100).default([]),
  inReplyTo: fields.line(100).optional().describe('The `_id` of the answered message.'),
  draft: z.boolean().default(false).describe('true: saves a draft and sends nothing.'),
})

export const NO_RECIPIENT = 'Please enter at least one recipient'
export const INVALID_RECIPIENT = 'Invalid email address'
export const NOT_OWN_ADDRESS = 'This mailbox can send only from its own address and its aliases'

const inMailbox = z.object({ id: z.string() })
const oneMessage = z.object({ id: z.string(), messageId: z.string() })

export const listFolders = route({
  name: 'listFolders',
  method: 'GET',
  path: '/mailboxes/{id}/folders',
  summary: 'The folders of a mailbox with their counts',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: inMailbox,
  output: z.array(folder),
  errors: ['NOT_EXISTS'],
})

export const listMessages = route({
  name: 'listMessages',
  method: 'GET',
  path: '/mailboxes/{id}/messages',
  summary: 'A folder, newest first; with q a search',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: inMailbox,
  query: z.strictObject({
    ...fields.page,
    folder: fields.line(100).default('inbox'),
    q: fields.line(200).optional(),
  }),
  output: z.object({ items: z.array(messageSummary), nextCursor: z.string().nullable() }),
  errors: ['NOT_EXISTS'],
})

export const getMessage = route({
  name: 'getMessage',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}',
  summary: 'One message, opened',
  access: 'open-mailboxes',
  reads: ['content'],
  params: oneMessage,
  output: message,
  errors: ['NOT_EXISTS'],
})

export const changeMessage = route({
  name: 'changeMessage',
  method: 'PATCH',
  path: '/mailboxes/{id}/messages/{messageId}',
  summary: 'Mark read or starred, or move to a folder',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: oneMessage,
  body: z.strictObject({
    isRead: z.boolean().optional(),
    isStarred: z.boolean().optional(),
    folder: fields.line(100).optional(),
  }),
  output: messageSummary,
  errors: ['NOT_EXISTS'],
})

export const deleteMessage = route({
  name: 'deleteMessage',
  method: 'DELETE',
  path: '/mailboxes/{id}/messages/{messageId}',
  summary: 'Move to Trash; from Trash and Drafts, delete for good',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: oneMessage,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const sendMessage = route({
  name: 'sendMessage',
  method: 'POST',
  path: '/mailboxes/{id}/messages',
  summary: 'Send a message, or save a draft',
  description:
    'The message is stored in Sent and waits for its turn to go out. `getJourney` tells what became of it at each recipient.',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: inMailbox,
  body: compose,
  output: messageSummary,
  errors: [
    'NOT_EXISTS',
    'MAILBOX_NOT_ACTIVE',
    'MAILBOX_DELETED',
    'DOMAIN_NOT_ACTIVE',
    'SENDING_STOPPED',
    'MAILBOX_SENDING_STOPPED',
    'SENDING_LIMIT',
    'STORAGE_FULL',
  ],
  status: 201,
  bodyLimitBytes: Math.ceil((fields.MAX_MESSAGE_BYTES * 4) / 3) + 11_000_000,
})

export const getRawMessage = route({
  name: 'getRawMessage',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/raw',
  summary: 'The message as it is stored, to save',
  access: 'open-mailboxes',
  reads: ['content'],
  params: oneMessage,
  output: z.string(),
  contentType: 'message/rfc822',
  errors: ['NOT_EXISTS'],
})

export const getAttachments = route({
  name: 'getAttachments',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/attachments',
  summary: 'All attachments of a message as one ZIP archive, to save',
  access: 'open-mailboxes',
  reads: ['content'],
  params: oneMessage,
  output: z.string(),
  contentType: 'application/octet-stream',
  errors: ['NOT_EXISTS'],
})

export const getAttachment = route({
  name: 'getAttachment',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/attachments/{n}',
  summary: 'One attachment, to save',
  access: 'open-mailboxes',
  reads: ['content'],
  params: oneMessage.extend({ n: z.string() }),
  output: z.string(),
  contentType: 'application/octet-stream',
  errors: ['NOT_EXISTS'],
})
