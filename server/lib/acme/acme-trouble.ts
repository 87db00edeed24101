/** Why a directory gave no certificate, as a sentence for the operator (RFC 8555 section 6.7). */
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { oneLine } from '../plain-text.ts'

export class AcmeTrouble extends Error {
  override name = 'AcmeTrouble'
  /** The type of the problem without its prefix, such as rateLimited; '' for other trouble. */
  readonly type: string
  /** null: the directory did not say when to come back. */
  readonly retryAfterSeconds: number | null

  /** @param message a sentence */
  constructor(message: string, type = '', retryAfterSeconds: number | null = null) {
    super(message)
    this.type = type
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const PREFIX = 'urn:ietf:params:acme:error:'
const MAX_DETAIL = 400

/** By type; what the directory says itself follows. */
const sentences: Record<string, string> = {
  accountDoesNotExist: 'The directory does not know our account any more.',
  badCSR: 'The directory refused the certificate request.',
  caa: 'A CAA record in DNS forbids this directory to issue for the name.',
  connection: 'The directory could not connect to the name.',
  dns: 'The directory could not look the name up.',
  externalAccountRequired:
    'The directory wants an account that was made with it before, which Mailstead does not support.',
  incorrectResponse: 'The directory got another answer from the name than ours.',
  invalidContact: 'The directory refused ACME_EMAIL.',
  rateLimited: 'The directory limits how much is asked of it.',
  rejectedIdentifier: 'The directory issues no certificate for this name.',
  serverInternal: 'The directory has a fault.',
  tls: 'The directory found a fault in TLS at the name.',
  unauthorized: 'The directory does not accept that the name leads here.',
  unsupportedContact: 'The directory refused ACME_EMAIL.',
  userActionRequired: 'The directory wants its operator to do something first.',
}

const problem = z.object({
  type: z.string().catch(''),
  detail: z.string().catch(''),
  subproblems: z
    .array(z.object({ type: z.string().catch(''), detail: z.string().catch('') }))
    .catch([]),
})

/** `body`: a problem document (RFC 9457), or anything else that came with this status. */
export const troubleOf = (
  body: unknown,
  status: number | null,
  retryAfterSeconds: number | null = null,
): AcmeTrouble => {
  const { data } = problem.safeParse(body)
  const shortType = (type: string) => (type.startsWith(PREFIX) ? type.slice(PREFIX.length) : '')
  const [sub] = data?.subproblems ?? []
  const type = shortType(data?.type ?? '')
  const detail = oneLine(sub?.detail || data?.detail || '', MAX_DETAIL)
  const known = Object.hasOwn(sentences, type) ? sentences[type] : undefined
  const first =
    known ?? (status === null ? 'The directory refused.' : `The directory answered ${status}.`)
  return new AcmeTrouble(
    detail === '' ? first : `${first} It says: ${detail}`,
    type || (status === 429 ? 'rateLimited' : ''),
    retryAfterSeconds,
  )
}

const LONGEST_SECONDS = 7 * 86_400

/** From 1 second to 7 days; null: none was given. */
export const retryAfterOf = (headers: IncomingHttpHeaders): number | null => {
  const text = headers['retry-after']
  if (text === undefined) return null
  // A date is measured by the directory's own clock.
  const now = Date.parse(headers.date ?? '') || Date.now()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  if (!Number.isFinite(seconds)) return null
  return Math.min(Math.max(1, Math.ceil(seconds)), LONGEST_SECONDS)
}
