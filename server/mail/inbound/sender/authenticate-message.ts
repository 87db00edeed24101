/**
 * Who really sent it: SPF, DKIM, DMARC and ARC. What follows from that is decided elsewhere. Runs on a thread of its own
 * (`reading/`), because mail can be made that takes long to check.
 */
import { domainToASCII } from 'node:url'
import { type AuthenticateResult, authenticate, dmarc } from 'mailauth'
import { within } from '#server/lib/dns/within.ts'
import {
  type HeaderLine,
  headerLinesOf,
  lineFaultIn,
  withoutFields,
} from '#server/standards/message-lines.ts'
import type { Resolver } from './answer-cache.ts'
import { dmarcVerdictOf, verdictFrom } from './dmarc-verdict.ts'
import { type Sender, undecided, type Verdict } from './verdict.ts'

/** By whom and with what the checks are done. */
export type Checking = { mailHost: string; resolve: Resolver }

const TIME_CAP_MS = 8_000
const POLICY_TIME_CAP_MS = 4_000
/** Nobody writes fields like that, and mailauth takes the square of their length to read one. */
const MAX_FOLDS = 1_000
/** Nobody needs more: a sender signs once or twice, and each forwarder once. */
const MAX_SIGNATURES = 10
/** That one signature names; each is looked for in the whole header. */
const MAX_SIGNED_FIELDS = 1_000
const LARGE_BYTES = 1_000_000
const wideGap = /\s{1000}/

export const authenticateMessage = async (
  checking: Checking,
  raw: Buffer,
  sender: Sender,
): Promise<Verdict> => {
  const { mailHost } = checking
  const headers = headerLinesOf(raw)
  const surplus = surplusSignatures(headers, raw.length)
  const unread = headers.filter(
    (field) =>
      surplus.has(field) || wideGap.test(field.line) || field.line.split('\r\n').length > MAX_FOLDS,
  )
  const isAuthorClear =
    headers.filter(({ name }) => name === 'from').length <= 1 &&
    !unread.some(({ name }) => name === 'from')
  try {
    const result = await within(
      Date.now() + TIME_CAP_MS,
      examine(checking, withoutFields(raw, unread), sender),
      null,
    )
    const verdict = result === null ? undecided(mailHost) : verdictOf(mailHost, result)
    const { dkim } = verdict.authentication
    if (dkim !== 'pass' && unread.some(({ name }) => name === 'dkim-signature'))
      verdict.authentication.dkim = 'temperror'
    return { ...verdict, isAuthorClear: isAuthorClear && verdict.isAuthorClear }
  } catch (error) {
    return { ...undecided(mailHost), isAuthorClear, fault: String(error) }
  }
}

/**
 * The body is hashed anew for every length (l=) that a signature names, and each signature asks for a key. Of ARC, a chain
 * is left out whole.
 */
const surplusSignatures = (
  headers: readonly HeaderLine[],
  bytes: number,
): ReadonlySet<HeaderLine> => {
  const signatures = headers.filter(({ name }) => name === 'dkim-signature')
  const partial = signatures.filter(({ line }) => /;\s*l\s*=/.test(line))
  const chain = headers.filter(({ name }) => name.startsWith('arc-'))
  return new Set([
    ...signatures.slice(MAX_SIGNATURES),
    ...signatures.filter(({ line }) => line.split(':').length > MAX_SIGNED_FIELDS),
    ...partial.slice(bytes > LARGE_BYTES ? 1 : MAX_SIGNATURES),
    ...(chain.length > 3 * MAX_SIGNATURES ? chain : []),
  ])
}

/**
 * Readers are shown `shown`. Where that is not the sender that was looked at, because there was no time or the field is
 * read in two ways, only its policy is known.
 */
export const forShownAuthor = async (
  { resolve }: Checking,
  verdict: Verdict,
  shown: { address: string } | null,
): Promise<Verdict> => {
  const address = shown?.address ?? ''
  const domain = domainToASCII(address.slice(address.lastIndexOf('@') + 1)).replace(/\.$/, '')
  if (domain === '' || !address.includes('@') || domain === verdict.author) return verdict
  const asked = dmarc({ headerFrom: [address], resolver: resolve })
  const policy = await within(Date.now() + POLICY_TIME_CAP_MS, asked, false)
  if (policy === false || policy.policyDomain === undefined) return verdict
  return { ...verdict, dmarc: verdictFrom(policy, 'unclear') }
}

const examine = (
  { mailHost, resolve }: Checking,
  raw: Buffer,
  { ip, helo, mailFrom }: Sender,
): Promise<AuthenticateResult> =>
  authenticate(raw, {
    ...{ ip, helo, sender: mailFrom, mta: mailHost },
    resolver: resolve,
    disableBimi: true,
  })

const verdictOf = (mailHost: string, result: AuthenticateResult): Verdict => {
  const headers = result.headers
  if (lineFaultIn(Buffer.from(headers), 10_000) !== null || !headers.endsWith('\r\n'))
    return undecided(mailHost)
  return {
    headers,
    dmarc: dmarcVerdictOf(result),
    author: result.dmarc ? authorOf(result.dmarc.status.header?.from) : null,
    isAuthorClear:
      result.dmarcSkipReason === undefined || result.dmarcSkipReason === 'no-author-domain',
    authentication: {
      spf: result.spf ? result.spf.status.result : 'none',
      dkim: dkimOf(result),
      dmarc: result.dmarc ? result.dmarc.status.result : 'none',
      arc: result.arc ? result.arc.status.result : 'none',
    },
  }
}

const authorOf = (domain: string | undefined): string | null =>
  domain === undefined ? null : domain.toLowerCase().replace(/\.$/, '')

/** One good signature is enough. A body that was changed is 'neutral' to mailauth: to a reader it failed. */
const dkimOf = ({ dkim }: AuthenticateResult): string => {
  const results = dkim.results.map(({ status, bodyHash, bodyHashExpecting }) =>
    status.result === 'neutral' && bodyHash !== bodyHashExpecting ? 'fail' : status.result,
  )
  return results.includes('pass') ? 'pass' : (results[0] ?? 'none')
}
