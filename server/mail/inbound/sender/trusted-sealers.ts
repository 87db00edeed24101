/** Forwarders whose word on what they received counts (RFC 8617, decision 021): large ones that check before they seal. */
import type { AuthenticateResult } from 'mailauth'

const sealers = new Set([
  ...['google.com', 'gmail.com', 'googlegroups.com', 'microsoft.com', 'fastmail.com'],
  ...['messagingengine.com', 'pobox.com', 'topicbox.com', 'forwardemail.net'],
])

type Sealed = {
  'arc-seal'?: { parsed?: { d?: { value?: unknown } } }
  'arc-authentication-results'?: {
    parsed?: { dmarc?: { value?: unknown; result?: unknown; header?: { from?: unknown } } }
  }
}

/**
 * Who first sealed a valid chain and saw DMARC pass for this domain of From; null when there is none, or any seal of
 * the chain is by somebody else: they could have changed everything.
 */
export const trustedSealer = ({ arc }: AuthenticateResult, fromDomain: string): string | null => {
  if (arc === false || arc.status.result !== 'pass') return null
  // Not in mailauth's types: it hides the chain from JSON.
  const { chain } = arc as unknown as { chain?: Sealed[] }
  const names = (chain ?? []).map((set) => String(set['arc-seal']?.parsed?.d?.value ?? ''))
  const [first] = chain ?? []
  if (first === undefined || !names.every((name) => sealers.has(name.toLowerCase()))) return null
  const dmarc = first['arc-authentication-results']?.parsed?.dmarc
  const isPass = (dmarc?.result ?? dmarc?.value) === 'pass'
  const isSameFrom = String(dmarc?.header?.from ?? '').toLowerCase() === fromDomain.toLowerCase()
  return isPass && isSameFrom ? (names[0] ?? null) : null
}
