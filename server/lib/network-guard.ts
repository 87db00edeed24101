/**
 * The outbound guard: what may be dialled when others choose the name (MX, proxy, name servers, webhooks).
 * Addresses are judged, never names, and the address judged is the address dialled, so nothing can change between.
 */
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { Dns } from './dns/dns.ts'

/** Looks public, and is the host of a machine at Azure, which tells its secrets. */
const AZURE_HOST = '168.63.129.16'

/** An address of the public Internet: no loopback, private, shared, link-local, mapped, translated, test or reserved range. */
export const isPublicAddress = (ip: string): boolean => {
  const address = read(ip)
  if (address?.range() !== 'unicast' || ip === AZURE_HOST) return false
  return address.kind() === 'ipv4' || isGlobalUnicast6(address as ipaddr.IPv6)
}

/** With ALLOW_LOOPBACK_PEERS private addresses may be dialled too; what is no single host's address never. */
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

/** Ours, so far as we were told: those of the machine are looked up each time. */
const told = new Set<string>()

/** Addresses under which this installation is reached: what others make us dial is never ourselves. */
export const addOwnAddresses = (ips: readonly string[]): void => {
  for (const ip of ips) told.add(canonical(ip))
}

const canonical = (ip: string): string => read(ip)?.toString() ?? ip

const isOwn = (ip: string): boolean => {
  const address = canonical(ip)
  if (told.has(address)) return true
  const interfaces = Object.values(networkInterfaces()).flat()
  return interfaces.some((each) => each !== undefined && canonical(each.address) === address)
}

/** By mail and HTTP; a name server of our own may be asked. */
const isStrangers = (ip: string, allowLoopbackPeers: boolean): boolean =>
  isDialable(ip, allowLoopbackPeers) && (allowLoopbackPeers || !isOwn(ip))

/** @throws NotDialable */
export const assertDialable = (ip: string, allowLoopbackPeers: boolean): void => {
  if (!isStrangers(ip, allowLoopbackPeers)) throw new NotDialable(ip)
}

/**
 * All addresses of a host (a name or an IP), IPv4 first.
 * @throws NotDialable when any of them must not be dialled, or an error with the DNS code when there is none.
 */
export const dialableAddresses = async (
  dns: Dns,
  host: string,
  allowLoopbackPeers: boolean,
): Promise<string[]> => {
  const ips = isIP(host) === 0 ? await addressesOf(dns, host) : [host]
  for (const ip of ips)
    if (!isStrangers(ip, allowLoopbackPeers)) throw new NotDialable(`${host} (${ip})`)
  return ips
}

/** For `lookup` of net.connect, tls.connect and http.request: the socket goes to an address that was checked. */
export const guardedLookup =
  (dns: Dns, allowLoopbackPeers: boolean): LookupFunction =>
  (host, options, callback) => {
    dialableAddresses(dns, host, allowLoopbackPeers).then(
      (ips) => {
        const found = ips
          .map((address) => ({ address, family: isIP(address) }))
          .filter(({ family }) => !options.family || fits(family, options.family))
        const first = found[0]
        if (!first) callback(notFound(host), '')
        else if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }

const fits = (family: number, wanted: number | 'IPv4' | 'IPv6'): boolean =>
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

/** Only the usual notations: no octal, hex or short forms, no zones. */
const read = (ip: string): ipaddr.IPv4 | ipaddr.IPv6 | null =>
  isIP(ip) === 0 || ip.includes('%') ? null : ipaddr.parse(ip)

/** 2000::/3 is all that is assigned; 3fff::/20 in it is for documents (RFC 9637). */
const isGlobalUnicast6 = (address: ipaddr.IPv6): boolean =>
  address.match(ipaddr.IPv6.parse('2000::'), 3) && !address.match(ipaddr.IPv6.parse('3fff::'), 20)

/** Does this name lead to the own machine, whoever looks it up? @param name as URLs hold it: IPv6 in brackets. */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  (isIP(name) === 4 && name.startsWith('127.'))
