/**
 * The outbound network guard: what may be dialled when a stranger chooses the name (MX, proxy, name servers, webhooks). It checks
 * addresses, never names, and the checked address is the one that is dialled, so nothing can change in between.
 */
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { Dns } from './dns/dns.ts'

/** Looks public, but is an Azure host's endpoint that reveals its secrets. */
const AZURE_HOST = '168.63.129.16'

/** An address of the public Internet: not loopback, private, shared, link-local, mapped, translated, test or reserved. */
export const isPublicAddress = (ip: string): boolean => {
  const address = read(ip)
  if (address?.range() !== 'unicast' || ip === AZURE_HOST) return false
  return address.kind() === 'ipv4' || isGlobalUnicast6(address as ipaddr.IPv6)
}

/** Of this machine or of a network behind a router: nobody on the Internet sees it. */
export const isInternalAddress = (ip: string): boolean =>
  ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(read(ip)?.range() ?? '')

/** ALLOW_LOOPBACK_PEERS allows private addresses too; a multicast or broadcast address is never allowed. */
export const isDialable = (ip: string, allowLoopbackPeers: boolean): boolean => {
  if (isPublicAddress(ip)) return true
  const range = allowLoopbackPeers ? read(ip)?.range() : undefined
  return range === 'loopback' || range === 'private' || range === 'uniqueLocal'
}

export class NotDialable extends Error {
  readonly code = 'ENOTDIALABLE'

  constructor(what: string) {
    super(`${what} is not an address of another host on the public Internet`)
    this.name = 'NotDialable'
  }
}

/** Our addresses from the settings; those of the network interfaces are read at each check. */
const configuredAddresses = new Set<string>()

/** Adds addresses of this installation: it must never dial itself on behalf of a stranger. */
export const addOwnAddresses = (ips: readonly string[]): void => {
  for (const ip of ips) configuredAddresses.add(canonical(ip))
}

const canonical = (ip: string): string => read(ip)?.toString() ?? ip

const isOwn = (ip: string): boolean => {
  const address = canonical(ip)
  if (configuredAddresses.has(address)) return true
  const interfaces = Object.values(networkInterfaces()).flat()
  return interfaces.some((each) => each !== undefined && canonical(each.address) === address)
}

/** For mail and HTTP: also not an address of our own. A name server of our own may be queried. */
const mayDial = (ip: string, allowLoopbackPeers: boolean): boolean =>
  isDialable(ip, allowLoopbackPeers) && (allowLoopbackPeers || !isOwn(ip))

/** @throws NotDialable */
export const assertDialable = (ip: string, allowLoopbackPeers: boolean): void => {
  if (!mayDial(ip, allowLoopbackPeers)) throw new NotDialable(ip)
}

/**
 * All addresses of a host (a name or an IP), IPv4 first. @throws NotDialable when any of them must not be dialled, or an error
 * with the DNS code when there is none.
 */
export const dialableAddresses = async (
  dns: Dns,
  host: string,
  allowLoopbackPeers: boolean,
): Promise<string[]> => {
  // RFC 6761 section 6.3: no server is asked for this name.
  if (host === 'localhost' && allowLoopbackPeers) return ['127.0.0.1']
  const ips = isIP(host) === 0 ? await addressesOf(dns, host) : [host]
  for (const ip of ips)
    if (!mayDial(ip, allowLoopbackPeers)) throw new NotDialable(`${host} (${ip})`)
  return ips
}

/** For `lookup` of net.connect, tls.connect and http.request: the socket connects to a checked address. */
export const guardedLookup =
  (dns: Dns, allowLoopbackPeers: boolean): LookupFunction =>
  (host, options, callback) => {
    dialableAddresses(dns, host, allowLoopbackPeers).then(
      (ips) => {
        const found = ips
          .map((address) => ({ address, family: isIP(address) }))
          .filter(({ family }) => !options.family || isFamily(family, options.family))
        const first = found[0]
        if (!first) callback(notFound(host), '')
        else if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }

const isFamily = (family: number, wanted: number | 'IPv4' | 'IPv6'): boolean =>
  wanted === family || wanted === `IPv${family}`

const addressesOf = async (dns: Dns, host: string): Promise<string[]> => {
  const answers = await Promise.all([dns.lookUp(host, 'A'), dns.lookUp(host, 'AAAA')])
  const ips = answers.flatMap((answer) =>
    answer.outcome === 'found' ? answer.records.map((record) => record.data) : [],
  )
  if (ips.length > 0) return ips
  const failed = answers.find((answer) => answer.outcome === 'failed')
  if (!failed) throw notFound(host)
  throw Object.assign(new Error(`${host} could not be looked up`), { code: 'EAI_AGAIN' })
}

const notFound = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' })

/** Accepts only the usual notations: no octal, hex or short forms, no zones. */
const read = (ip: string): ipaddr.IPv4 | ipaddr.IPv6 | null =>
  isIP(ip) === 0 || ip.includes('%') ? null : ipaddr.parse(ip)

/** Only 2000::/3 is assigned; 3fff::/20 in it is for documentation (RFC 9637). */
const isGlobalUnicast6 = (address: ipaddr.IPv6): boolean =>
  address.match(ipaddr.IPv6.parse('2000::'), 3) && !address.match(ipaddr.IPv6.parse('3fff::'), 20)

/** Whether every resolver maps this name to the local machine. @param name as in a URL: IPv6 in brackets. */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  (isIP(name) === 4 && name.startsWith('127.'))
