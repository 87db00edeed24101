/** DNS block lists (RFC 5782): the name to ask for, and what an answer means. */
import ipaddr from 'ipaddr.js'

/** `2.0.0.127`, or the 32 nibbles of an IPv6 address; null for text that is no address. */
export const reversedAddress = (ip: string): string | null => {
  const text = ip.split('%')[0] ?? ''
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.process(text)
  const bytes = Buffer.from(address.toByteArray())
  const parts = address.kind() === 'ipv4' ? [...bytes].map(String) : [...bytes.toString('hex')]
  return parts.reverse().join('.')
}

/** Answers in 127.0.0.0/8 list; 127.255.255.0/24 says that the list did not understand us; others are hijacked DNS. */
export const isListing = (answer: string): boolean =>
  /^127\.\d+\.\d+\.\d+$/.test(answer) && !answer.startsWith('127.255.255.')
