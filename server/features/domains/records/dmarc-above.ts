/** The DMARC policy that a domain inherits, looked for once in a check, whoever asks. */
import type { LookUpMemo } from '#server/lib/dns.ts'
import { discoverDmarc } from '#server/standards/dns-records/dmarc-discovery.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'

/** `failed`: DNS did not answer. Top-level domains are not asked. */
export const dmarcAbove = async (
  domain: string,
  lookUp: SpfLookUp,
  memo: LookUpMemo,
): ReturnType<typeof discoverDmarc> => {
  const parent = domain.slice(domain.indexOf('.') + 1)
  if (!parent.includes('.')) return null
  const key = `dmarc above ${domain}`
  const known = memo.get(key) as ReturnType<typeof discoverDmarc> | undefined
  const asking = known ?? discoverDmarc(parent, (name) => lookUp(name, 'TXT'))
  memo.set(key, asking)
  return asking
}
