/** The live figures of the stat cards. */
import { z } from 'zod'
import { route } from './route.ts'

const count = z.number().int()

export const stats = z.object({
  domains: z.object({
    total: count,
    active: count,
    /** All that are not active. */
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
    /** Free places: limit x active domains - their mailboxes. */
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
  output: stats,
  errors: [],
})
