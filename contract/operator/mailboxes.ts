/** The mailboxes of an installation, as its operators see them: addresses, sizes, counts and times, and nothing of any mail. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { listed, pagesOf } from './paged-list.ts'

export const mailboxOrder = z.enum(['created', 'address', 'storage'])
export type MailboxOrder = z.infer<typeof mailboxOrder>

export const operatedMailbox = z.object({
  _id: fields.id,
  email: z.string(),
  name: z.string(),
  workspaceId: fields.id,
  workspaceName: z.string(),
  status: z.enum(['inactive', 'active', 'suspended']),
  endsAt: z.iso.datetime().nullable().describe('When it ends; null: not deleted.'),
  usedBytes: z.number().int(),
  createdAt: z.iso.datetime(),
})
export type OperatedMailbox = z.infer<typeof operatedMailbox>

export const listOperatedMailboxes = route({
  name: 'listOperatedMailboxes',
  method: 'GET',
  path: '/operator/mailboxes',
  summary: 'All mailboxes, with their sizes',
  access: 'operator',
  reads: ['operating'],
  query: z.object(listed(mailboxOrder, 'created')),
  output: pagesOf(operatedMailbox),
  errors: [],
})

export const operatedMailboxDetails = operatedMailbox.extend({
  folders: z.number().int(),
  messages: z.number().int(),
  aliases: z.array(z.string()),
  catchAllOf: z.array(z.string()).describe('The domains whose unknown addresses it gets mail for.'),
  holder: z
    .object({ userId: fields.id, name: z.string(), lastLoginAt: z.iso.datetime().nullable() })
    .nullable()
    .describe('Who signs in with its address; null: nobody.'),
  readers: z.number().int().describe('Others who may read it.'),
  appPasswords: z.number().int(),
  lastProgramUseAt: z.iso
    .datetime()
    .nullable()
    .describe('By a mail program, with whichever password.'),
  sent: z
    .number()
    .int()
    .describe('Recipients outside, and what other servers refused for good, in the last 24 hours.'),
  bounced: z.number().int(),
})
export type OperatedMailboxDetails = z.infer<typeof operatedMailboxDetails>

export const getOperatedMailbox = route({
  name: 'getOperatedMailbox',
  method: 'GET',
  path: '/operator/mailboxes/{id}',
  summary:
    'A mailbox, by its id or one of its addresses: who uses it and what it holds, in figures',
  access: 'operator',
  reads: ['operating'],
  params: z.object({ id: z.string() }),
  output: operatedMailboxDetails,
  errors: ['NOT_EXISTS'],
})
