/** What DMARC (RFC 9989) says of a message, for whoever must decide: mailauth's answer, and what it leaves open. */
import type { ARCResult, AuthenticateResult, DMARCResult } from 'mailauth'

export type DmarcVerdict = {
  /** Of From. */
  domain: string
  /** Where the policy is published; a parent, perhaps. */
  policyDomain: string
  /** What is asked for mail that fails. With t=y nothing is: the domain only tries it out. */
  policy: 'none' | 'quarantine' | 'reject'
  /**
   * `unclear`: a look-up of this domain's own that could have let it pass had no answer. `vouched`: it failed here, and a
   * forwarder that we trust says it passed there.
   */
  outcome: 'pass' | 'fail' | 'unclear' | 'vouched'
}

/** null when From names no domain, the domain publishes nothing, or that could not be learnt. */
export const dmarcVerdictOf = (result: AuthenticateResult): DmarcVerdict | null => {
  const { dmarc } = result
  if (dmarc === false || dmarc.policyDomain === undefined) return null
  const outcome = outcomeOf(result, dmarc)
  return outcome === null ? null : verdictFrom(dmarc, outcome)
}

export const verdictFrom = (
  dmarc: DMARCResult,
  outcome: DmarcVerdict['outcome'],
): DmarcVerdict => ({
  domain: dmarc.status.header?.from ?? dmarc.domain,
  policyDomain: dmarc.policyDomain ?? dmarc.domain,
  policy: dmarc.testMode ? 'none' : policyOf(dmarc.policy),
  outcome,
})

const policyOf = (text: string): DmarcVerdict['policy'] =>
  text === 'reject' || text === 'quarantine' ? text : 'none'

const outcomeOf = (
  result: AuthenticateResult,
  dmarc: DMARCResult,
): DmarcVerdict['outcome'] | null => {
  switch (dmarc.status.result) {
    case 'pass':
      return 'pass'
    case 'temperror':
      return 'unclear'
    case 'fail':
      if (hasUnclearCheck(result, dmarc)) return 'unclear'
      return trustedSealer(result, dmarc.status.header?.from ?? '') === null ? 'fail' : 'vouched'
    default:
      return null
  }
}

const sealers = new Set([
  ...['google.com', 'gmail.com', 'googlegroups.com', 'microsoft.com', 'fastmail.com'],
  ...['messagingengine.com', 'pobox.com', 'topicbox.com', 'forwardemail.net'],
])

type Saw = { result?: unknown; value?: unknown; header?: { from?: unknown } }
type SealedSet = {
  'arc-seal'?: { parsed?: { d?: { value?: unknown } } }
  'arc-authentication-results'?: { parsed?: { dmarc?: Saw } }
}

/**
 * Forwarders whose word on what they received counts (RFC 8617, decision 021): large ones that check before they seal.
 * Who first sealed a valid chain and saw DMARC pass for this domain of From; null when there is none, or any seal of
 * the chain is by somebody else: they could have changed everything.
 */
export const trustedSealer = ({ arc }: AuthenticateResult, fromDomain: string): string | null => {
  if (arc === false || arc.status.result !== 'pass') return null
  const chain = chainOf(arc)
  const names = chain.map((set) => String(set['arc-seal']?.parsed?.d?.value ?? '').toLowerCase())
  const [first] = names
  if (first === undefined || !names.every((name) => sealers.has(name))) return null
  const saw = whatFirstSaw(arc, chain)
  const isSameFrom = String(saw?.header?.from ?? '').toLowerCase() === fromDomain.toLowerCase()
  return (saw?.result ?? saw?.value) === 'pass' && isSameFrom ? first : null
}

/** Not in mailauth's types: it hides the chain from JSON. */
const chainOf = (arc: ARCResult): SealedSet[] =>
  (arc as unknown as { chain?: SealedSet[] }).chain ?? []

/** mailauth takes the newest results out of the chain to read them. */
const whatFirstSaw = (arc: ARCResult, chain: SealedSet[]): Saw | undefined =>
  chain.length === 1
    ? (arc.authenticationResults?.dmarc as Saw | undefined)
    : chain[0]?.['arc-authentication-results']?.parsed?.dmarc

/** RFC 9989 §5.3: with a temporary error of a check that could have passed the policy cannot be applied. */
const hasUnclearCheck = ({ spf, dkim }: AuthenticateResult, { domain }: DMARCResult): boolean => {
  const isOwn = (name: string | undefined): boolean =>
    name !== undefined &&
    (name.toLowerCase() === domain || name.toLowerCase().endsWith(`.${domain}`))
  return (
    (spf && spf.status.result === 'temperror' && isOwn(spf.domain)) ||
    dkim.results.some(
      ({ status, signingDomain }) => status.result === 'temperror' && isOwn(signingDomain),
    )
  )
}
