/** Changes many messages by one request, which one other request undoes. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { folder, messageSummary } from '../messages.ts'
import { route } from '../route.ts'
import { MAX_SEARCH } from './search.ts'

export const MAX_CHANGED_IDS = 500
export const MAX_FOUND_AT_ONCE = 1_000
export const ONE_SELECTION = 'Choose messages, conversations, a whole folder or a search'
export const NO_CHANGE = 'Choose what to change'

const ids = z.array(z.uuid('This is not an id')).max(MAX_CHANGED_IDS)

export const bulkChange = z
  .strictObject({
    messages: ids.min(1).optional(),
    conversations: z
      .strictObject({ folder: fields.line(100), threads: ids.min(1) })
      .optional()
      .describe('The messages of these threads that are in this folder.'),
    all: z
      .strictObject({ folder: fields.line(100), until: z.iso.datetime(), except: ids.default([]) })
      .optional()
      .describe('The whole folder, except mail that arrived after `until` and these threads.'),
    found: z
      .strictObject({
        q: fields.line(MAX_SEARCH).min(1),
        folder: fields.line(100).optional(),
        until: z.iso.datetime(),
        except: ids.default([]),
        cursor: fields.line(500).optional(),
      })
      .optional()
      .describe(
        'What a search finds, up to `until`, but these threads: MAX_FOUND_AT_ONCE messages, then those after `cursor`. Moving leaves Sent and Drafts.',
      ),
    isRead: z.boolean().optional(),
    isStarred: z.boolean().optional(),
    folder: fields.line(100).optional().describe('Role or id of the folder to move to.'),
    delete: z
      .union([z.literal(true), z.literal('for good')])
      .optional()
      .describe(
        "Moves to Trash; deletes for good what is in Trash or Drafts, and with 'for good' what is in Junk.",
      ),
  })
  .refine(
    ({ messages, conversations, all, found }) =>
      [messages, conversations, all, found].filter((each) => each !== undefined).length === 1,
    { message: ONE_SELECTION, path: ['messages'] },
  )
  .refine(
    (body) =>
      [body.isRead, body.isStarred, body.folder, body.delete].some((each) => each !== undefined),
    { message: NO_CHANGE, path: ['folder'] },
  )
export type BulkChange = z.infer<typeof bulkChange>

export const changeMessages = route({
  name: 'changeMessages',
  method: 'POST',
  path: '/mailboxes/{id}/changes',
  summary: 'Mark, move or delete many messages at once',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: z.object({ id: z.string() }),
  body: bulkChange,
  output: z.object({
    _id: fields.id
      .nullable()
      .describe('For undo; null when nothing changed or it cannot be undone.'),
    count: z.number().int().describe('Number of changed messages.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('For the rest of what a search finds; null: there is no more.'),
  }),
  errors: ['NOT_EXISTS'],
})

export const undoChange = route({
  name: 'undoChange',
  method: 'POST',
  path: '/mailboxes/{id}/changes/{changeId}/undo',
  summary: 'Take back a change of many messages, within the hour; what changed again since stays',
  access: 'open-mailboxes',
  changes: ['messages', 'content'],
  params: z.object({ id: z.string(), changeId: z.string() }),
  output: fields.counted,
  errors: ['NOT_EXISTS'],
})

/** What happened in a mailbox since a modseq (decision 086). Apply `gone` and `changed` together, in the order of their modseq. */
export const mailboxChanges = z.object({
  isForgotten: z
    .boolean()
    .describe('true: too long ago to be told. Read every folder again, and go on from `modseq`.'),
  modseq: z.number().int().describe('The next `since`.'),
  after: fields.id.nullable().describe('The next `after`; null: this answer is complete.'),
  folders: z.array(folder),
  changed: z
    .array(
      messageSummary.extend({ folder: fields.id, thread: fields.id, modseq: z.number().int() }),
    )
    .describe('As they are now; `folder` is an id.'),
  gone: z
    .array(z.object({ _id: fields.id, folder: fields.id, modseq: z.number().int() }))
    .describe('What left `folder`: `changed` says where it is, unless it was deleted.'),
})
export type MailboxChanges = z.infer<typeof mailboxChanges>

export const listChanges = route({
  name: 'listChanges',
  method: 'GET',
  path: '/mailboxes/{id}/changes',
  summary: 'What was filed, changed, moved and deleted in a mailbox since a modseq',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: z.object({ id: z.string() }),
  query: z.strictObject({
    since: z.coerce
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(0)
      .describe('0: everything that the log still knows.'),
    after: fields.id.optional(),
    limit: fields.page.limit,
  }),
  output: mailboxChanges,
  errors: ['NOT_EXISTS'],
})
