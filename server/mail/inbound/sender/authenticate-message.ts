/**
 * Checks the sender of a message: SPF, DKIM, DMARC and ARC. Other modules decide what follows. Runs on a worker thread
 * (`reading/`), because hostile mail can take long to check.
 */
import { domainToASCII } from 'node:url'
import { type AuthenticateResult, authenticate, dmarc } from 'mailauth'
import { within } from '#server/lib/wait.ts'
import { domainOf } from '#server/standards/address.ts'
import { headerLinesOf, lineFaultIn, withoutFields } from '#server/standards/message-lines.ts'
import type { Resolver } from './answer-cache.ts'
import { dmarcVerdictOf, verdictFrom } from './dmarc-verdict.ts'
import { judgeEachAuthor } from './several-authors.ts'
import { type Sender, undecided, type Verdict } from './verdict.ts'
import { sortHeader } from './worth-checking.ts'

/** The name of the checking host, and its resolver. */
export type Checking = { mailHost: string; resolve: Resolver }

const TIME_CAP_MS = 8_000
const POLICY_TIME_CAP_MS = 4_000

export const authenticateMessage = async (
  checking: Checking,
  raw: Buffer,
  sender: Sender,
): Promise<Verdict> => {
  const { mailHost } = checking
  const headers = headerLinesOf(raw)
  const { unread, idle } = sortHeader(headers, raw.length)
  const leftOut = new Set([...unread, ...idle])
  const isAuthorClear =
    headers.filter(({ name }) => name === 'from').length <= 1 &&
    !unread.some(({ name }) => name === 'from')
  try {
    const result = await within(
      Date.now() + TIME_CAP_MS,
      examine(
        checking,
        withoutFields(
          raw,
          headers.filter((field) => leftOut.has(field)),
        ),
        sender,
      ),
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
 * `shown`: the author that readers see. When it is not the checked author, because time ran out or From is ambiguous, only its
 * policy is looked up.
 */
export const verdictForShownAuthor = async (
  { resolve }: Checking,
  verdict: Verdict,
  shown: { address: string } | null,
): Promise<Verdict> => {
  const address = shown?.address ?? ''
  const domain = domainToASCII(domainOf(address)).replace(/\.$/, '')
  if (domain === '' || domain === verdict.author) return verdict
  const asked = dmarc({ headerFrom: [address], resolver: resolve, strict: true })
  const policy = await within(Date.now() + POLICY_TIME_CAP_MS, asked, false)
  if (policy === false || policy.policyDomain === undefined) return verdict
  return { ...verdict, dmarc: verdictFrom(policy, 'unclear') }
}

const examine = async (
  { mailHost, resolve }: Checking,
  raw: Buffer,
  { ip, helo, mailFrom }: Sender,
): Promise<AuthenticateResult> => {
  const result = await authenticate(raw, {
    ...{ ip, helo, sender: mailFrom, mta: mailHost },
    resolver: resolve,
    disableBimi: true,
    // Follows the RFCs strictly: for example, parses the whole SPF record before the first term counts.
    strict: true,
  })
  return judgeEachAuthor(result, resolve)
}

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

/** One valid signature is enough. */
const dkimOf = ({ dkim }: AuthenticateResult): string => {
  const results = dkim.results.map(({ status }) => status.result)
  return results.includes('pass') ? 'pass' : (results[0] ?? 'none')
}
