/**
 * What changes in a workspace although none of its people asks for it then: what a check found, what came due, a brake (decision 127).
 * Each kind is declared here, and a test of the job that makes it reads its line.
 */
import type { AuditTopic } from '#contract/workspace/audit-log.ts'
import type { Db } from '#server/storage/database.ts'
import { recordChange, SYSTEM } from './record-change.ts'

export const systemChanges = {
  accountEnded: { topic: 'members', what: 'Remove a member whose account was deleted' },
  domainVerified: { topic: 'domains', what: 'Found the proof of ownership in DNS' },
  domainActive: { topic: 'domains', what: 'Found every required record right' },
  domainBroken: { topic: 'domains', what: 'Found a required record missing or wrong' },
  claimStarted: { topic: 'domains', what: 'Claim a domain that another workspace holds' },
  claimWon: { topic: 'domains', what: 'Get a domain that was claimed' },
  claimEnded: { topic: 'domains', what: 'End a claim on a domain, without getting it' },
  domainClaimed: { topic: 'domains', what: 'Another workspace claims a domain' },
  domainKept: { topic: 'domains', what: 'Keep a domain that another workspace claimed' },
  domainLost: { topic: 'domains', what: 'Lose a domain to another workspace' },
  proofStopped: { topic: 'domains', what: 'Stop sending from a domain without proof in DNS' },
  proofBack: { topic: 'domains', what: 'Send from a domain again, as its proof is back in DNS' },
  domainReleased: { topic: 'domains', what: 'Release a domain whose proof stayed away' },
  domainEnded: { topic: 'domains', what: 'End a domain that was deleted' },
  mailboxEnded: { topic: 'mailboxes', what: 'End a mailbox that was deleted' },
  sendingStopped: {
    topic: 'mailboxes',
    what: 'Stop sending from a mailbox, as its mail is refused',
  },
  rightEnded: { topic: 'access', what: 'End a right to read a mailbox at its time' },
  webhookOff: { topic: 'keys', what: 'Switch off a webhook' },
  invoiceMonth: { topic: 'money', what: 'Invoice the month' },
  invoicePaid: { topic: 'money', what: 'Paid by card' },
  invoiceReopened: {
    topic: 'money',
    what: 'Take back a payment by card: the invoice is due again',
  },
  orderWithdrawn: { topic: 'money', what: 'Take back an order that was not paid' },
  buyerChanged: { topic: 'money', what: 'Change the address or the VAT ID at Stripe' },
  suspendUnpaid: { topic: 'money', what: 'Suspend mailboxes of an unpaid invoice' },
} as const satisfies Record<string, { topic: AuditTopic; what: string }>

export type SystemChange = keyof typeof systemChanges

type About = {
  workspaceId: string
  /** The name of what was changed. */
  object: string
  details?: Record<string, string>
}

/** In the transaction of the change. */
export const recordBySystem = (
  tx: Db,
  at: Date,
  action: SystemChange,
  about: About,
): Promise<void> => recordChange(tx, at, SYSTEM, { ...systemChanges[action], ...about, action })
