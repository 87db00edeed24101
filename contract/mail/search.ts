/** Searching a mailbox. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { messageSummary, person } from '../messages.ts'
import { route } from '../route.ts'

export const foundMessage = messageSummary.extend({
  folder: z.string().describe("A role, or the id of one of the user's own folders."),
})
export type FoundMessage = z.infer<typeof foundMessage>

/** A conversation by its newest message that the search finds. Read and starred count the found messages. */
export const foundConversation = foundMessage.extend({
  threadId: fields.id,
  found: z
    .array(fields.id)
    .describe(
      'The messages of it that were found, newest first, at most 100; those in Sent and Drafts only when there are no others.',
    ),
  people: z
    .array(person)
    .describe('Senders of the found messages, latest first, each once; at most 5.'),
})
export type FoundConversation = z.infer<typeof foundConversation>

export const MAX_SEARCH = 200

/** The search operators, for hints. All that is typed must hold; OR joins only the two parts beside it. */
export const searchOperators: readonly (readonly [operator: string, finds: string])[] = [
  ['from:ada', 'Who wrote it: a name, an address or a part of one'],
  ['to:grace', 'Who got it, also in Cc; to:me is you'],
  ['subject:invoice', 'A word of the subject'],
  ['"to the letter"', 'These words side by side'],
  ['-word', 'Not with this word'],
  ['red OR blue', 'One of the two beside it; also from:ada OR larger:1M'],
  ['has:attachment', 'With a file'],
  ['filename:report', 'With a file of this name; also filename:pdf'],
  ['larger:5M', 'At least this large; also smaller:200k'],
  ['is:unread', 'Not read; also is:starred'],
  ['before:2026-11-01', 'Older; also after:2026-10'],
  ['older_than:1y', 'By age: d, w, m or y; also newer_than:7d'],
  ['in:sent', 'In a folder; in:anywhere is Trash and Junk too'],
]

const params = z.object({ id: z.string() })
const query = z.strictObject({
  ...fields.page,
  q: fields.line(MAX_SEARCH).default(''),
  folder: fields
    .line(100)
    .optional()
    .describe('Searches one folder only; an `in:` operator overrides it.'),
})
const found = {
  nextCursor: z.string().nullable(),
  words: z.array(z.string()).describe('Words to highlight, in lower case and without accents.'),
  isByParts: z
    .boolean()
    .describe('true: no message has these words; the messages found have them as parts of words.'),
  notes: z.array(z.string()).describe('What of the search was not understood, a sentence each.'),
}

export const searchMessages = route({
  name: 'searchMessages',
  method: 'GET',
  path: '/mailboxes/{id}/search',
  summary: 'Messages of all folders but Trash and Junk, or of one, newest first',
  access: 'open-mailboxes',
  reads: ['messages'],
  params,
  query,
  output: z.object({ items: z.array(foundMessage), ...found }),
  errors: ['NOT_EXISTS'],
})

export const searchConversations = route({
  name: 'searchConversations',
  method: 'GET',
  path: '/mailboxes/{id}/search/conversations',
  summary: 'The same search by conversations, each once, at its newest message that was found',
  access: 'open-mailboxes',
  reads: ['messages'],
  params,
  query,
  output: z.object({ items: z.array(foundConversation), ...found }),
  errors: ['NOT_EXISTS'],
})
