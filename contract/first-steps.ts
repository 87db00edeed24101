/** What is left to do for the domains of a workspace until real mail has come and gone. */
import { z } from 'zod'
import { currency } from './billing.ts'
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
  /** Of the others: an access link waits for its person. */
  linksOut: count,
  unpaid: count,
  /** Of those that receive mail, the first three. */
  addresses: z.array(z.string()),
  /** A mailbox gets the mail for addresses that nobody has. */
  hasCatchAll: z.boolean(),
  /** First mail from a server elsewhere. */
  cameAt: z.iso.datetime().nullable(),
  /** First mail that a server elsewhere took. */
  wentAt: z.iso.datetime().nullable(),
  /** A member has read that its mail works. */
  worksSeen: z.boolean(),
})
export type DomainSteps = z.infer<typeof domainSteps>

/** While the workspace is new: what one mailbox may send in 24 hours; null: no limit. */
export const firstDays = z.object({
  recipients: count.nullable(),
  newRecipients: count.nullable(),
  /** When the full limits apply. */
  until: z.iso.datetime(),
})
export type FirstDays = z.infer<typeof firstDays>

/** Invoices that are not paid. */
export const dues = z.object({ count: count.min(1), amountCents: count, currency })
export type Dues = z.infer<typeof dues>

export const MOST_UNFINISHED = 20
export const MOST_WORKING = 5

export const getFirstSteps = route({
  method: 'GET',
  path: '/first-steps',
  summary: `What is left until all mail works: active domains, nearest to done first, at most ${MOST_UNFINISHED}, one without mailboxes when it has no MX; the limits of the first days; what is due`,
  access: 'see-domains',
  reads: ['domains', 'mailboxes', 'messages', 'invoices'],
  output: z.object({
    items: z.array(domainSteps),
    total: count,
    /** Domains whose mail works now, which nobody has read yet: newest first. */
    working: z.array(domainSteps).max(MOST_WORKING),
    /** null: the full limits apply. */
    firstDays: firstDays.nullable(),
    /** null: everything is paid, or the caller has no right to billing. */
    dues: dues.nullable(),
  }),
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

export const markWorksSeen = route({
  method: 'POST',
  path: '/domains/{id}/first-steps/seen',
  summary: 'Say no longer that the mail of this domain works now',
  access: 'manage-domains',
  changes: ['domains'],
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
