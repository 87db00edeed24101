/** The name of an address in DNS, backwards (RFC 1035 section 3.5, RFC 3596 section 2.5), and addresses in several spellings. */
import { reversedAddress } from './junk/dnsbl.ts'

/** 25.2.0.192.in-addr.arpa */
export const reverseNameOf = (ip: string): string => {
  const reversed = reversedAddress(ip) ?? ''
  // An IPv4 address may be written as one of IPv6.
  return `${reversed}.${reversed.split('.').length === 4 ? 'in-addr.arpa' : 'ip6.arpa'}`
}

export const isSameAddress = (one: string, other: string): boolean =>
  reversedAddress(one) === reversedAddress(other)
