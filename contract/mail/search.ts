/** Searching a mailbox. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { messageSummary } from '../messages.ts'
import { route } from '../route.ts'

export const foundMessage = messageSummary.extend({
  /** A role, or the id of one of the user's own folders. */
  folder: z.string(),
})
export type FoundMessage = z.infer<typeof foundMessage>

export const MAX_SEARCH = 200

/** The search operators, for hints. */
export const searchOperators: readonly (readonly [operator: string, finds: string])[] = [
  ['from:ada', 'Who wrote it: a name, an address or a part of one'],
  ['to:grace', 'Who got it, also in Cc; to:me is you'],
  ['subject:invoice', 'A word of the subject'],
  ['"to the letter"', 'These words side by side'],
  ['-word', 'Not with this word'],
  ['has:attachment', 'With a file'],
  ['is:unread', 'Not read; also is:starred'],
  ['before:2026-11-01', 'Older; also after:2026-10 or after:7d'],
  ['in:sent', 'In a folder; in:anywhere is Trash and Junk too'],
]

export const searchMessages = route({
  method: 'GET',
  path: '/mailboxes/{id}/search',
  summary: 'Messages of all folders but Trash and Junk, or of one, newest first',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: z.object({ id: z.string() }),
  query: z.strictObject({
    ...fields.page,
    q: fields.line(MAX_SEARCH).default(''),
    /** Searches one folder only; an `in:` operator overrides it. */
    folder: fields.line(100).optional(),
  }),
  output: z.object({
    items: z.array(foundMessage),
    nextCursor: z.string().nullable(),
    /** Words to highlight, in lower case. */
    words: z.array(z.string()),
    /** true: no message has these words; the messages found have them as parts of words. */
    isByParts: z.boolean(),
  }),
  errors: ['NOT_EXISTS'],
})
