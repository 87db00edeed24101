import type { DnsAnswer } from './dns.ts'

/** IPv4 and IPv6 addresses of a host, empty when it has none; null: DNS does not answer for one of the two. */
export const hostAddresses = async (
  lookUp: (name: string, type: 'A' | 'AAAA') => Promise<DnsAnswer>,
  name: string,
): Promise<string[] | null> => {
  const answers = await Promise.all([lookUp(name, 'A'), lookUp(name, 'AAAA')])
  if (answers.some(({ outcome }) => outcome === 'failed')) return null
  return answers.flatMap((answer) =>
    answer.outcome === 'found' ? answer.records.map(({ data }) => data) : [],
  )
}
