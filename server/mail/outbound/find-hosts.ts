/** Which hosts take mail for a domain (RFC 5321 §5.1). */
import type { Dns, ResourceRecord } from '#server/lib/dns.ts'

export type MailHosts =
  /** Best first. */
  | { outcome: 'hosts'; hosts: string[] }
  /** There will never be one: no such domain, or it says that it takes no mail. */
  | { outcome: 'nowhere'; reply: string }
  | { outcome: 'unknown'; reason: string }

const MAX_HOSTS = 8

export const findHosts = async (dns: Dns, domain: string): Promise<MailHosts> => {
  const answer = await dns.lookUp(domain, 'MX')
  if (answer.outcome === 'failed') return { outcome: 'unknown', reason: answer.reason }
  if (answer.outcome === 'none')
    return answer.isNxdomain
      ? { outcome: 'nowhere', reply: `550 5.1.2 The domain ${domain} does not exist` }
      : // The domain itself is its mail host (RFC 5321 §5.1).
        { outcome: 'hosts', hosts: [domain] }
  if (answer.records.every(({ data }) => isNull(data)))
    return { outcome: 'nowhere', reply: `556 5.1.10 The domain ${domain} takes no mail` }
  return { outcome: 'hosts', hosts: inOrder(answer.records).slice(0, MAX_HOSTS) }
}

/** RFC 7505. */
const isNull = (host: string): boolean => host === '' || host === '.'

/** By preference; by chance among equals, so that their load is shared. */
const inOrder = (records: readonly ResourceRecord[]): string[] => {
  const hosts = records
    .filter(({ data }) => !isNull(data))
    .map(({ data, preference = 0 }) => ({ host: data, preference, chance: Math.random() }))
    .toSorted((a, b) => a.preference - b.preference || a.chance - b.chance)
    .map(({ host }) => host.replace(/\.$/, '').toLowerCase())
  return [...new Set(hosts)]
}
