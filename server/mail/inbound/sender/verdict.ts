/** What the checks of a sender come to. */
import type { Authentication } from '#contract/messages.ts'
import type { DmarcVerdict } from './dmarc-verdict.ts'

export type Sender = { mailFrom: string; helo: string; ip: string }

export type Verdict = {
  authentication: Authentication
  /** Received-SPF and Authentication-Results, each line ending in CRLF. */
  headers: string
  dmarc: DmarcVerdict | null
  /** The domain in From that was looked at, as A-labels; null: none, or there was no time. */
  author: string | null
  /** false: From names senders of several domains, or cannot be read. */
  isAuthorClear: boolean
  /** What went wrong on our side, for the log. */
  fault?: string
}

/** Nothing could be checked, or not in time. */
export const undecided = (mailHost: string): Verdict => ({
  headers: [
    `Authentication-Results: ${mailHost};`,
    ' spf=temperror; dkim=temperror; dmarc=temperror\r\n',
  ].join('\r\n'),
  authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'none' },
  dmarc: null,
  author: null,
  isAuthorClear: true,
})
