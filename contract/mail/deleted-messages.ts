/** Messages that were deleted for good, and can be had back for 30 days. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { person } from '../messages.ts'
import { route } from '../route.ts'

export const RECOVERABLE_DAYS = 30
export const MAX_RECOVERED = 100

export const deletedMessage = z.object({
  _id: fields.id,
  subject: z.string(),
  from: person.nullable(),
  to: z.array(person),
  date: z.iso.datetime(),
  deletedAt: z.iso.datetime(),
  size: z.number().int().describe('Bytes.'),
  folder: z.string().describe("The name of the folder that it had and that was deleted; '' else."),
})
export type DeletedMessage = z.infer<typeof deletedMessage>

export const listDeletedMessages = route({
  name: 'listDeletedMessages',
  method: 'GET',
  path: '/mailboxes/{id}/deleted-messages',
  summary:
    'Messages that were deleted for good in the last 30 days or came to Trash with their folder, the last one first',
  access: 'open-mailboxes',
  reads: ['messages'],
  params: z.object({ id: z.string() }),
  query: z.strictObject(fields.page),
  output: z.object({ items: z.array(deletedMessage), nextCursor: z.string().nullable() }),
  errors: ['NOT_EXISTS'],
})

export const recoverMessages = route({
  name: 'recoverMessages',
  method: 'POST',
  path: '/mailboxes/{id}/deleted-messages/recover',
  summary:
    'Brings them back: into the folder that they left, which is made again where it was deleted, or from Trash and Junk into the Inbox',
  access: 'open-mailboxes',
  changes: ['messages', 'mailboxes'],
  notAudited: 'It moves messages',
  params: z.object({ id: z.string() }),
  body: z.strictObject({
    messages: z.array(fields.id).min(1).max(MAX_RECOVERED),
  }),
  /** What somebody else brought back, or what ended meanwhile, is left out. */
  output: z.object({ recovered: z.number().int() }),
  errors: ['NOT_EXISTS', 'STORAGE_FULL'],
})
