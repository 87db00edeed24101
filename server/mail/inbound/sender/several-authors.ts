/**
 * From may name authors of several domains (RFC 5322 §3.6.2). RFC 9989 §5.3.1 leaves such mail to the receiver: each domain's
 * policy is evaluated and the strictest outcome counts, so that a protected name cannot hide behind an unprotected one.
 */
import { type AuthenticateResult, type DMARCResult, dmarc } from 'mailauth'
import { domainOf } from '#server/standards/address.ts'
import type { Resolver } from './answer-cache.ts'
import { type DmarcVerdict, dmarcVerdictOf } from './dmarc-verdict.ts'

/** Each needs up to eight look-ups. */
const MAX_AUTHORS = 4

/** The result with the DMARC of the strictest author; unchanged when From has one domain, or cannot be judged. */
export const judgeEachAuthor = async (
  result: AuthenticateResult,
  resolver: Resolver,
): Promise<AuthenticateResult> => {
  if (result.dmarcSkipReason !== 'multiple-author-domains') return result
  const authors = onePerDomain([result.dkim.headerFrom ?? []].flat())
  if (authors.length > MAX_AUTHORS) return result
  const judged = await Promise.all(authors.map((author) => judge(result, author, resolver)))
  const [strictest] = judged
    .filter((each) => each !== false)
    .toSorted((a, b) => strictness(result, b) - strictness(result, a))
  if (strictest === undefined || judged.includes(false)) return result
  const { dmarcSkipReason, ...rest } = result
  return { ...rest, dmarc: strictest, headers: withDmarc(result.headers, strictest) }
}

const onePerDomain = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.map((address) => [domainOf(address).toLowerCase(), address])).values(),
]

/** Like `authenticate` for a single author; false when the address has no valid domain. */
const judge = (
  { spf, dkim, arc }: AuthenticateResult,
  author: string,
  resolver: Resolver,
): Promise<DMARCResult | false> =>
  dmarc({
    headerFrom: [author],
    spfDomains: spf && spf.status.result === 'pass' && spf.domain ? [spf.domain] : [],
    dkimDomains: dkim.results.flatMap(
      ({ signingDomain, status: { result, aligned, underSized } }) =>
        result === 'pass' && signingDomain !== undefined
          ? [{ domain: signingDomain, aligned: aligned ?? false, underSized: underSized ?? 0 }]
          : [],
    ),
    ...(arc && { arcResult: arc }),
    resolver,
    strict: true,
  })

const outcomes: Record<DmarcVerdict['outcome'], number> = {
  pass: 0,
  vouched: 0,
  unclear: 1,
  fail: 2,
}
const policies: Record<DmarcVerdict['policy'], number> = { none: 0, quarantine: 2, reject: 4 }

/** Refusal first, then deferral, then Junk. */
const strictness = (result: AuthenticateResult, author: DMARCResult): number => {
  const verdict = dmarcVerdictOf({ ...result, dmarc: author })
  if (verdict === null) return -1
  return outcomes[verdict.outcome] === 0 ? 0 : policies[verdict.policy] + outcomes[verdict.outcome]
}

/** Authentication-Results is the first field, and its folded lines begin with a space. */
const withDmarc = (headers: string, { info }: DMARCResult): string =>
  headers.replace(/\r\n(?![ \t])/, () => `;\r\n ${info}\r\n`)
