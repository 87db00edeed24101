/** Forwarders whose word on what they received counts (RFC 8617, decision 021): large ones that check before they seal. */
import type { ARCResult, AuthenticateResult } from 'mailauth'

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
