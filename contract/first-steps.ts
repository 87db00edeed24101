/** What is left to do for the domains of a workspace until real mail has come and gone. */
import { z } from 'zod'
import * as fields from './fields.ts'
import { route } from './route.ts'

const count = z.number().int()

export const domainSteps = z.object({
  _id: fields.id,
  unicodeName: z.string(),
  /** This installation is the first MX. */
  isMailOurs: z.boolean(),
  /** Where its mail goes: a service or a host; null: nowhere, or not known yet. */
  mailTo: z.string().nullable(),
  /** Active or suspended. */
  mailboxes: count,
  /** Of these: a holder or reader was set up, or mail was written. */
  inUse: count,
  unpaid: count,
  /** First mail from a server elsewhere. */
  cameAt: z.iso.datetime().nullable(),
  /** First mail that a server elsewhere took. */
  wentAt: z.iso.datetime().nullable(),
})
export type DomainSteps = z.infer<typeof domainSteps>

export const MOST_UNFINISHED = 20

export const getFirstSteps = route({
  method: 'GET',
  path: '/first-steps',
  summary: `Active domains whose mail does not work yet, newest first, at most ${MOST_UNFINISHED}; a domain without mailboxes counts when it has no MX`,
  access: 'see-domains',
  reads: ['domains', 'mailboxes', 'messages'],
  output: z.object({ items: z.array(domainSteps), total: count }),
  errors: [],
})

export const getDomainSteps = route({
  method: 'GET',
  path: '/domains/{id}/first-steps',
  summary: 'How far the mail of one domain is',
  access: 'see-domains',
  reads: ['domains', 'mailboxes', 'messages'],
  params: z.object({ id: z.string() }),
  output: domainSteps,
  errors: ['NOT_EXISTS'],
})

/** Mail comes and goes, every mailbox is paid, and people can read it. */
export const isFinished = (steps: DomainSteps): boolean =>
  steps.isMailOurs &&
  steps.mailboxes > 0 &&
  steps.inUse === steps.mailboxes &&
  steps.unpaid === 0 &&
  steps.cameAt !== null &&
  steps.wentAt !== null
