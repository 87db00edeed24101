/**
 * From may name authors of several domains (RFC 5322 §3.6.2). RFC 9989 §5.3.1 leaves such mail to the receiver: the policy of
 * each domain is asked, and the strictest outcome counts, so that nobody hides a protected name behind a free one.
 */
import { type AuthenticateResult, type DMARCResult, dmarc } from 'mailauth'
import type { Resolver } from './answer-cache.ts'
import { type DmarcVerdict, dmarcVerdictOf } from './dmarc-verdict.ts'

/** Each costs a walk of up to eight look-ups. */
const MAX_AUTHORS = 4

/** The result with the strictest author's DMARC; unchanged where From is clear, or cannot be made so. */
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
  ...new Map(
    addresses.map((address) => [address.slice(address.lastIndexOf('@')).toLowerCase(), address]),
  ).values(),
]

/** As `authenticate` does for a single author; false when the address has no clear domain. */
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

/** What refuses comes first, then what puts off, then what files to Junk. */
const strictness = (result: AuthenticateResult, author: DMARCResult): number => {
  const verdict = dmarcVerdictOf({ ...result, dmarc: author })
  if (verdict === null) return -1
  return outcomes[verdict.outcome] === 0 ? 0 : policies[verdict.policy] + outcomes[verdict.outcome]
}

/** Authentication-Results comes first, and its continued lines begin with a space. */
const withDmarc = (headers: string, { info }: DMARCResult): string =>
  headers.replace(/\r\n(?![ \t])/, () => `;\r\n ${info}\r\n`)
