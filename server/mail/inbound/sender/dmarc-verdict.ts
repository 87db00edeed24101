/** The DMARC result of a message (RFC 9989): mailauth's result, with temporary errors and trusted forwarders considered. */
import type { ARCResult, AuthenticateResult, DMARCResult } from 'mailauth'

export type DmarcVerdict = {
  /** The domain in From. */
  domain: string
  /** The domain that publishes the policy, possibly a parent. */
  policyDomain: string
  /** The requested handling of failing mail; `none` with t=y, which only tests a policy. */
  policy: 'none' | 'quarantine' | 'reject'
  /**
   * `unclear`: a look-up of this domain that could have led to a pass had no answer. `vouched`: it fails here, but a trusted
   * forwarder reports a pass.
   */
  outcome: 'pass' | 'fail' | 'unclear' | 'vouched'
}

/** Returns null when From has no domain, or no policy was found. */
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
 * Finds a trusted forwarder in the ARC chain (RFC 8617, decision 021): large ones that check before they seal. Returns the first
 * sealer of a valid chain, when it saw DMARC pass for this From domain; null otherwise, and when any seal is by an untrusted
 * host, which could have changed everything.
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

/** mailauth hides the chain from JSON and from its types. */
const chainOf = (arc: ARCResult): SealedSet[] =>
  (arc as unknown as { chain?: SealedSet[] }).chain ?? []

/** mailauth moves the newest results out of the chain. */
const whatFirstSaw = (arc: ARCResult, chain: SealedSet[]): Saw | undefined =>
  chain.length === 1
    ? (arc.authenticationResults?.dmarc as Saw | undefined)
    : chain[0]?.['arc-authentication-results']?.parsed?.dmarc

/** RFC 9989 §5.3: the policy cannot be applied when a check that could have passed has a temporary error. */
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
