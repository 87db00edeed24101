/** The live figures of the stat cards. */
import { z } from 'zod'
import { currency } from './billing.ts'
import * as fields from './fields.ts'
import { role } from './rights.ts'
import { route } from './route.ts'

const count = z.number().int()

export const stats = z.object({
  domains: z.object({
    total: count,
    active: count,
    /** Domains that are not active. */
    pending: count,
    dnsVerified: count,
    dnsPending: count,
    dnsFailed: count,
    /** Domains with a record that they need and that is not right or could not be checked (decision 078). */
    needWork: count,
  }),
  mailboxes: z.object({
    total: count,
    active: count,
    suspended: count,
    inactive: count,
    /** Active domains with at least one active mailbox. */
    activeDomains: count,
    /** Free mailboxes: limit x active domains - their mailboxes. */
    slots: count,
  }),
  storage: z.object({ usedBytes: count, quotaBytes: count }),
  messages: z.object({ today: count, yesterday: count }),
})
export type Stats = z.infer<typeof stats>

export const getStats = route({
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
  /** true: the workspace of this request. */
  isCurrent: z.boolean(),
  domains: z.object({
    total: count,
    active: count,
    /** As in the figures of one workspace. */
    needWork: count,
  }),
  mailboxes: stats.shape.mailboxes.pick({
    total: true,
    active: true,
    suspended: true,
    inactive: true,
  }),
  storage: stats.shape.storage,
  members: count.nullable(),
  /** Invoices in cents; null where there is no billing, too. */
  bill: z.object({ monthCents: count, dueCents: count, dueInvoices: count, currency }).nullable(),
})
export type WorkspaceFigures = z.infer<typeof workspaceFigures>

export const listWorkspaceFigures = route({
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
  /** The last days, oldest first, ending today. Days in UTC. */
  days: z.array(z.object({ date: z.iso.date(), messages: count })),
})
export type MailPerDay = z.infer<typeof mailPerDay>

/** A route of its own, because every page of the dashboard asks for the figures but not for this. */
export const getMailPerDay = route({
  method: 'GET',
  path: '/stats/mail-per-day',
  summary: 'How many messages came and went on each of the last days',
  access: 'see-workspace',
  reads: ['messages'],
  output: mailPerDay,
  errors: [],
})
