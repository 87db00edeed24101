/** What is left to do for the domains of a workspace until real mail has come and gone. */
import { z } from 'zod'
import { currency } from './billing.ts'
import * as fields from './fields.ts'
import { route } from './route.ts'

const count = z.number().int()

export const domainSteps = z.object({
  _id: fields.id,
  unicodeName: z.string(),
  isMailOurs: z.boolean().describe('This installation is the first MX.'),
  mailTo: z
    .string()
    .nullable()
    .describe('Where its mail goes: a service or a host; null: nowhere, or not known yet.'),
  mailboxes: count.describe('Active or suspended.'),
  inUse: count.describe('Of these: a holder or reader was set up, or mail was written.'),
  linksOut: count.describe('Of the others: an access link waits for its person.'),
  unpaid: count,
  addresses: z.array(z.string()).describe('Of those that receive mail, the first three.'),
  hasCatchAll: z.boolean().describe('A mailbox gets the mail for addresses that nobody has.'),
  cameAt: z.iso.datetime().nullable().describe('First mail from a server elsewhere.'),
  wentAt: z.iso.datetime().nullable().describe('First mail that a server elsewhere took.'),
  worksSeen: z.boolean().describe('A member has read that its mail works.'),
})
export type DomainSteps = z.infer<typeof domainSteps>

/** While the workspace is new: what one mailbox may send in 24 hours; null: no limit. */
export const firstDays = z.object({
  recipients: count.nullable(),
  newRecipients: count.nullable(),
  until: z.iso.datetime().describe('When the full limits apply.'),
})
export type FirstDays = z.infer<typeof firstDays>

/** Invoices that are not paid. */
export const dues = z.object({ count: count.min(1), amountCents: count, currency })
export type Dues = z.infer<typeof dues>

export const MOST_UNFINISHED = 20
export const MOST_WORKING = 5

export const getFirstSteps = route({
  name: 'getFirstSteps',
  method: 'GET',
  path: '/first-steps',
  summary: `What is left until all mail works: active domains, nearest to done first, at most ${MOST_UNFINISHED}, one without mailboxes when it has no MX; the limits of the first days; what is due`,
  access: 'see-domains',
  reads: ['domains', 'mailboxes', 'messages', 'invoices'],
  output: z.object({
    items: z.array(domainSteps),
    total: count,
    working: z
      .array(domainSteps)
      .max(MOST_WORKING)
      .describe('Domains whose mail works now, which nobody has read yet: newest first.'),
    firstDays: firstDays.nullable().describe('null: the full limits apply.'),
    dues: dues
      .nullable()
      .describe('null: everything is paid, or the caller has no right to billing.'),
  }),
  errors: [],
})

export const getDomainSteps = route({
  name: 'getDomainSteps',
  method: 'GET',
  path: '/domains/{id}/first-steps',
  summary: 'How far the mail of one domain is',
  access: 'see-domains',
  reads: ['domains', 'mailboxes', 'messages'],
  params: z.object({ id: z.string() }),
  output: domainSteps,
  errors: ['NOT_EXISTS'],
})

export const markWorksSeen = route({
  name: 'markWorksSeen',
  method: 'POST',
  path: '/domains/{id}/first-steps/seen',
  summary: 'Say no longer that the mail of this domain works now',
  access: 'manage-domains',
  changes: ['domains'],
  notAudited: 'A person has seen a sentence',
  asksForRecentSignIn: false,
  params: z.object({ id: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

const conditions = (steps: DomainSteps): boolean[] => [
  steps.isMailOurs,
  steps.mailboxes > 0,
  steps.inUse === steps.mailboxes,
  steps.unpaid === 0,
  steps.cameAt !== null,
  steps.wentAt !== null,
]

/** Mail comes and goes, every mailbox is paid, and people can read it. */
export const isFinished = (steps: DomainSteps): boolean => conditions(steps).every(Boolean)

/** How much is left; domains with mailboxes come before those that nobody uses yet. */
export const stepsLeft = (steps: DomainSteps): number =>
  conditions(steps).filter((isMet) => !isMet).length + (steps.mailboxes + steps.unpaid > 0 ? 0 : 10)

/** Mail comes here and goes out, whoever of its people has not looked yet. */
export const mailWorks = ({ isMailOurs, cameAt, wentAt }: DomainSteps): boolean =>
  isMailOurs && cameAt !== null && wentAt !== null
