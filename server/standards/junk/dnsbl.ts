/** DNS block lists (RFC 5782): the name to query, and the meaning of an answer. */
import ipaddr from 'ipaddr.js'

/** `2.0.0.127`, or the 32 nibbles of an IPv6 address; null when the text is not an IP address. */
export const reversedAddress = (ip: string): string | null => {
  const text = ip.split('%')[0] ?? ''
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.process(text)
  const bytes = Buffer.from(address.toByteArray())
  const parts = address.kind() === 'ipv4' ? [...bytes].map(String) : [...bytes.toString('hex')]
  return parts.reverse().join('.')
}

/** 127.0.0.0/8 means listed; 127.255.255.0/24 means that the list refused the query; any other answer is hijacked DNS. */
export const isListing = (answer: string): boolean =>
  /^127\.\d+\.\d+\.\d+$/.test(answer) && !answer.startsWith('127.255.255.')
