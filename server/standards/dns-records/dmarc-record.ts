/** DMARC policy records (RFC 9989). `pct`, `rf` and `ri` are of its predecessor and ignored, as are unknown tags. */
import { parseTags } from './tag-list.ts'

export const DEFAULT_DMARC = 'v=DMARC1; p=none'

export type DmarcRecord = { policy: 'none' | 'quarantine' | 'reject' }

const policies = ['none', 'quarantine', 'reject'] as const

/** What claims to be a DMARC record, valid or not. */
export const isDmarc = (text: string): boolean => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/i.test(text)

/** null when receivers would not apply it. Without `p`, an address for reports makes it `none`. */
export const parseDmarc = (text: string): DmarcRecord | null => {
  const tags = parseTags(text)
  if (tags?.get('v') !== 'DMARC1' || tags.keys().next().value !== 'v') return null
  const policy = tags.get('p')?.toLowerCase()
  const known = policies.find((each) => each === policy)
  if (known) return { policy: known }
  return /^\s*mailto:\S+@\S+/i.test(tags.get('rua') ?? '') ? { policy: 'none' } : null
}
