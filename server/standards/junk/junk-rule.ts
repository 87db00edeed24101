/** One thing that speaks for or against a message, and what the rules look at. */
import { getDomain } from 'tldts'
import type { ContentFacts, HeaderFacts } from './mail-facts.ts'

export type MailFacts = {
  /** As in Authentication-Results. */
  checks: { spf: string; dkim: string; dmarc: string }
  /** Its domain asks to put mail aside that fails DMARC, and this one did. */
  isQuarantined: boolean
  mailFrom: string
  from: { name: string; address: string } | null
  subject: string
  header: HeaderFacts
  content: ContentFacts
  client: {
    helo: string
    ip: string
    /** null: not looked up, or no answer. */
    hasReverseName: boolean | null
  }
  mailHost: string
  at: Date
}

export type Rule = {
  name: string
  points: number
  /** The reason as a sentence without its full stop; null when there is nothing to say. */
  finds: (facts: MailFacts) => string | null
}

/** The part of a host name that somebody registered. */
export const organisationOf = (host: string): string => getDomain(host) ?? host
