import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Normalises an IP address as proxies write it: with a port, in brackets or quotes, IPv4 mapped into IPv6, with a zone. Returns
 * null when the text is not an IP address.
 */
export const addressIn = (text: string): string | null => {
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare)?.[1]
  const withPort = /^([\d.]+):\d{1,5}$/.exec(bare)?.[1]
  const address = (inBrackets ?? withPort ?? bare).replace(/%.*$/, '')
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}

/** Of the other side, with IPv4 plain also where the port is open for both kinds; '' when it has gone. */
export const peerOf = ({ remoteAddress = '' }: { remoteAddress?: string | undefined }): string =>
  addressIn(remoteAddress) ?? ''

type Ends = {
  remoteAddress?: string | undefined
  remotePort?: number | undefined
  localPort?: number | undefined
}

/** What tells one connection from all others, also through TLS. */
export const endsOf = ({ remoteAddress, remotePort, localPort }: Ends): string =>
  `${remoteAddress} ${remotePort} ${localPort}`

/** @param range an address, a range such as 10.0.0.0/8, or a name: loopback, linklocal, uniquelocal. */
export const isInRange = (address: string, range: string): boolean => {
  const parsed = ipaddr.process(address)
  const kind = parsed.range()
  if (range === 'loopback') return kind === 'loopback'
  if (range === 'linklocal') return kind === 'linkLocal'
  if (range === 'uniquelocal') return kind === 'uniqueLocal' || kind === 'private'
  const [ip = '', bits] = range.split('/')
  const net = ipaddr.parse(ip)
  const full = net.kind() === 'ipv4' ? 32 : 128
  return net.kind() === parsed.kind() && parsed.match(net, bits === undefined ? full : Number(bits))
}

/** Whether the address belongs to this machine or a local network. */
export const isNear = (address: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].some((range) => isInRange(address, range))
