/** The live figures of the stat cards. */
import { z } from 'zod'
import { currency } from './billing.ts'
import * as fields from './fields.ts'
import { role } from './rights.ts'
import { route } from './route.ts'

const count = z.number().int()

export const storageUse = z.object({ usedBytes: count, quotaBytes: count })

export const stats = z.object({
  domains: z.object({
    total: count,
    active: count,
    pending: count.describe('Domains that are not active.'),
    dnsVerified: count,
    dnsPending: count,
    dnsFailed: count,
    needWork: count.describe(
      'Domains with a record that they need and that is not right or could not be checked (decision 078).',
    ),
  }),
  mailboxes: z.object({
    total: count,
    active: count,
    suspended: count,
    inactive: count,
    activeDomains: count.describe('Active domains with at least one active mailbox.'),
    slots: count.describe('Free mailboxes: limit x active domains - their mailboxes.'),
  }),
  storage: storageUse,
  messages: z.object({ today: count, yesterday: count }),
})
export type Stats = z.infer<typeof stats>

export const getStats = route({
  name: 'getStats',
  method: 'GET',
  path: '/stats',
  summary: 'The figures of the workspace',
  access: 'see-workspace',
  reads: ['domains', 'mailboxes', 'messages'],
  output: stats,
  errors: [],
})

/** One workspace of the caller in the list of all of theirs. What their role there does not show is null. */
export const workspaceFigures = z.object({
  _id: fields.id,
  name: z.string(),
  role,
  isCurrent: z.boolean().describe('true: the workspace of this request.'),
  domains: z.object({
    total: count,
    active: count,
    needWork: count.describe('As in the figures of one workspace.'),
  }),
  mailboxes: stats.shape.mailboxes.pick({
    total: true,
    active: true,
    suspended: true,
    inactive: true,
  }),
  storage: storageUse,
  members: count.nullable(),
  bill: z
    .object({ monthCents: count, dueCents: count, dueInvoices: count, currency })
    .nullable()
    .describe('Invoices in cents; null where there is no billing, too.'),
})
export type WorkspaceFigures = z.infer<typeof workspaceFigures>

export const listWorkspaceFigures = route({
  name: 'listWorkspaceFigures',
  method: 'GET',
  path: '/workspaces/figures',
  summary: "The figures of each of the user's workspaces",
  access: 'signed-in',
  reads: ['workspaces', 'members', 'domains', 'mailboxes', 'messages', 'invoices'],
  output: z.array(workspaceFigures),
  errors: [],
})

export const DAYS_OF_MAIL = 14

export const mailPerDay = z.object({
  days: z
    .array(z.object({ date: z.iso.date(), messages: count }))
    .describe('The last days, oldest first, ending today. Days in UTC.'),
})
export type MailPerDay = z.infer<typeof mailPerDay>

/** A route of its own, because every page of the dashboard asks for the figures but not for this. */
export const getMailPerDay = route({
  name: 'getMailPerDay',
  method: 'GET',
  path: '/stats/mail-per-day',
  summary: 'How many messages came and went on each of the last days',
  access: 'see-workspace',
  reads: ['messages'],
  output: mailPerDay,
  errors: [],
})
