/** The conversations of a folder: what a list of mail shows. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { folder, message, messageSummary, person } from '../messages.ts'
import { route } from '../route.ts'

/** The latest message of the conversation in this folder, with facts about the others. Read and starred count messages in this folder. */
export const conversation = messageSummary.extend({
  threadId: fields.id,
  messages: z
    .number()
    .int()
    .describe('Messages in all folders except Trash and Junk, and in this one.'),
  people: z.array(person).describe('Senders, latest first, each once; at most 5.'),
  opens: fields.id.describe(
    'The message to open: the oldest unread one in this folder, otherwise the latest.',
  ),
})
export type Conversation = z.infer<typeof conversation>

/** A message among the others of its conversation. */
export const conversationMessage = messageSummary.extend({ folder: z.string() })
export type ConversationMessage = z.infer<typeof conversationMessage>

export const MAX_CONVERSATION = 100

export const listConversations = route({
  name: 'listConversations',
  method: 'GET',
  path: '/mailboxes/{id}/conversations',
  summary: 'A folder by conversations, latest first, from any position',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: z.object({ id: z.string() }),
  query: z.strictObject({
    folder: fields.line(100).default('inbox'),
    from: z.coerce
      .number()
      .int()
      .min(0)
      .max(100_000_000)
      .default(0)
      .describe('Number of conversations to skip.'),
    limit: fields.page.limit,
  }),
  output: z.object({
    items: z.array(conversation),
    total: z.number().int(),
    modseq: z
      .number()
      .int()
      .describe(
        'The list has all changes of the mailbox up to this one (decision 086), and may have later ones.',
      ),
  }),
  errors: ['NOT_EXISTS'],
})

/** More messages of one answer: the list is read again. */
export const MAX_LIST_CHANGES = 200

/** What happened to a folder's list. Remove the rows of `threads` and of `messages`, then insert `items` and `end` by their dates. */
export const changesOfList = z.object({
  isForgotten: z
    .boolean()
    .describe('true: too much, or too long ago, to be told. Read the list again.'),
  modseq: z.number().int().describe('The next `since`.'),
  total: z.number().int(),
  folders: z.array(folder),
  threads: z.array(fields.id).describe('The conversations that changed, in any folder.'),
  messages: z.array(fields.id).describe('The messages that changed or were deleted.'),
  items: z
    .array(conversation)
    .describe('Those of the changed conversations that are in this folder, as they are now.'),
  end: z
    .array(conversation)
    .describe('The last rows of the first `rows` of the list, where others may have left.'),
})
export type ChangesOfList = z.infer<typeof changesOfList>

export const conversationChanges = route({
  name: 'conversationChanges',
  method: 'GET',
  path: '/mailboxes/{id}/conversations/changes',
  summary: 'What changed in the list of a folder since a modseq, so that it is not read again',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: z.object({ id: z.string() }),
  query: z.strictObject({
    folder: fields.line(100).default('inbox'),
    since: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    rows: z.coerce
      .number()
      .int()
      .min(0)
      .max(100_000_000)
      .default(0)
      .describe('How many rows of the list are known, from its top.'),
  }),
  output: changesOfList,
  errors: ['NOT_EXISTS'],
})

export const wholeConversation = z.object({
  threadId: fields.id,
  items: z.array(conversationMessage),
})

export const getConversation = route({
  name: 'getConversation',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/conversation',
  summary: 'The messages of the conversation that a message belongs to, oldest first',
  access: 'open-mailboxes',
  reads: ['content'],
  params: z.object({ id: z.string(), messageId: z.string() }),
  output: wholeConversation,
  errors: ['NOT_EXISTS'],
})

export const MAX_AHEAD = 12

/** Of a list: what is opened next is among its rows. */
export const readAhead = route({
  name: 'readAhead',
  method: 'GET',
  path: '/mailboxes/{id}/ahead',
  summary:
    'Several messages with their conversations, in the order asked for; those that are not there are left out, and large ones',
  access: 'open-mailboxes',
  reads: ['content'],
  params: z.object({ id: z.string() }),
  /** Ids, with commas. */
  query: z.strictObject({ messages: fields.line(MAX_AHEAD * 40).default('') }),
  output: z.array(z.object({ message, conversation: wholeConversation })),
  errors: ['NOT_EXISTS'],
})
