/** The live figures of the stat cards. */
import { z } from 'zod'
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
