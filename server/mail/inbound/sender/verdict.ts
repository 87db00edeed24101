/** The result of all sender checks. */
import type { Authentication } from '#contract/messages.ts'
import type { DmarcVerdict } from './dmarc-verdict.ts'

export type Sender = { mailFrom: string; helo: string; ip: string }

export type Verdict = {
  authentication: Authentication
  /** Received-SPF and Authentication-Results, each line ending in CRLF. */
  headers: string
  dmarc: DmarcVerdict | null
  /** The checked From domain as A-labels; null: none, or time ran out. */
  author: string | null
  /** false: From names several domains, or cannot be parsed. */
  isAuthorClear: boolean
  /** An internal error, for the log. */
  fault?: string
}

/** The verdict when nothing could be checked in time. */
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
