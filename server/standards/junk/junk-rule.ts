/** One rule for or against a message, and the facts that rules read. */
import { getDomain } from 'tldts'
import type { ContentFacts, HeaderFacts } from './mail-facts.ts'

export type MailFacts = {
  /** Results as in Authentication-Results. */
  checks: { spf: string; dkim: string; dmarc: string }
  /** The message fails DMARC, and the sender's policy is quarantine. */
  isQuarantined: boolean
  /** What an operator allows of it, a network or a sender; null: nothing (decision 109). */
  allowedAs: string | null
  mailFrom: string
  from: { name: string; address: string } | null
  subject: string
  header: HeaderFacts
  content: ContentFacts
  client: {
    helo: string
    ip: string
    /** null: not looked up, or DNS did not answer. */
    hasReverseName: boolean | null
  }
  mailHost: string
  at: Date
}

export type Rule = {
  name: string
  points: number
  /** The reason as a sentence without its full stop; null when the rule does not apply. */
  finds: (facts: MailFacts) => string | null
}

/** The registered domain of a host name. */
export const organisationOf = (host: string): string => getDomain(host) ?? host
