/** The senders and networks that an operator blocks or allows: what may be typed, and what holds for a client and an address (decision 109). */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { domainOf, parseRecipient } from '../address.ts'
import { readDomainName } from '../domain-name.ts'

export type Listed = { kind: 'network' | 'address' | 'domain'; value: string }
export type ListEntry = Listed & { action: 'block' | 'allow'; endsAt: Date | null }

/** Wider ones hold much of the Internet. */
const LEAST_BITS = { ipv4: 8, ipv6: 16 }
const BITS = { ipv4: 32, ipv6: 128 }

/**
 * An IP address, a network (192.0.2.0/24, 2001:db8::/32), an address, or a domain with its subdomains. A network is stored with its
 * first address.
 */
export const readListed = (text: string): Listed | { refusal: string } => {
  const typed = text.trim().toLowerCase()
  const [ip = '', bits, ...more] = typed.split('/')
  if (isIP(ip) !== 0 && !ip.includes('%') && more.length === 0) return readNetwork(ip, bits)
  if (typed.includes('/'))
    return { refusal: 'A network is written like 192.0.2.0/24 or 2001:db8::/32' }
  const name = typed.replace(/^(?:\*?\.|@)/, '').replace(/\.$/, '')
  if (name.includes('@')) {
    const parsed = parseRecipient(name)
    return parsed === null
      ? { refusal: `${name} is no e-mail address` }
      : { kind: 'address', value: parsed.address.toLowerCase() }
  }
  if (/^[\d.]+$|:/.test(name))
    return { refusal: 'An IP address is written whole, like 192.0.2.25 or 2001:db8::1' }
  const domain = readDomainName(name, true)
  return 'refusal' in domain ? domain : { kind: 'domain', value: domain.name }
}

const readNetwork = (ip: string, given: string | undefined): Listed | { refusal: string } => {
  const address = ipaddr.process(ip)
  const kind = address.kind()
  const isMapped = kind === 'ipv4' && ip.includes(':')
  const most = BITS[kind]
  if (given === undefined) return { kind: 'network', value: `${address.toString()}/${most}` }
  if (!/^\d{1,3}$/.test(given) || isMapped || Number(given) > most)
    return { refusal: `The number after the slash is from ${LEAST_BITS[kind]} to ${most}` }
  const bits = Number(given)
  if (bits < LEAST_BITS[kind])
    return {
      refusal: `A network of /${bits} is too wide: it holds much of the Internet. The widest is /${LEAST_BITS[kind]}`,
    }
  const first = ipaddr.fromByteArray([...masked(address.toByteArray(), bits)])
  return { kind: 'network', value: `${first.toString()}/${bits}` }
}

const masked = (bytes: readonly number[], bits: number): Buffer =>
  Buffer.from(bytes.map((byte, at) => byte & ~(0xff >> Math.min(8, Math.max(0, bits - at * 8)))))

/** Whether a network that `readListed` wrote contains the address. */
export const isWithin = (network: string, ip: string): boolean =>
  openSenderList([{ kind: 'network', value: network, action: 'block', endsAt: null }]).network(
    ip,
    new Date(0),
  ) !== null

export type SenderList = {
  /** The narrowest network in force that contains the address. */
  network(ip: string, now: Date): ListEntry | null
  /** The address, else its domain, else the nearest domain above it. */
  sender(address: string, now: Date): ListEntry | null
}

/** Each question costs a look-up for each length of network or label, however long the list is. */
export const openSenderList = (entries: readonly ListEntry[]): SenderList => {
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]))
  const lengths = [...new Set(entries.flatMap(bitsOf))].toSorted((a, b) => b - a)
  const inForce = (keys: Iterable<string>, now: Date): ListEntry | null => {
    for (const key of keys) {
      const entry = byKey.get(key)
      if (entry && (entry.endsAt === null || entry.endsAt > now)) return entry
    }
    return null
  }
  return {
    network: (ip, now) => {
      if (isIP(ip) === 0) return null
      const bytes = ipaddr.process(ip.replace(/%.*/, '')).toByteArray()
      const keys = lengths.filter((bits) => bits <= bytes.length * 8)
      return inForce(
        keys.map((bits) => networkKey(bytes, bits)),
        now,
      )
    },
    sender: (address, now) => {
      const parsed = parseRecipient(address)
      if (parsed === null) return null
      const labels = domainOf(parsed.address).toLowerCase().split('.')
      const domains = labels.map((_, at) => `domain ${labels.slice(at).join('.')}`)
      return inForce([`address ${parsed.address.toLowerCase()}`, ...domains], now)
    },
  }
}

const networkKey = (bytes: readonly number[], bits: number): string =>
  `network ${masked(bytes, bits).toString('hex')}/${bits}`

const keyOf = ({ kind, value }: Listed): string => {
  if (kind !== 'network') return `${kind} ${value}`
  const [ip = '', bits] = value.split('/')
  return networkKey(ipaddr.parse(ip).toByteArray(), Number(bits))
}

const bitsOf = ({ kind, value }: Listed): number[] =>
  kind === 'network' ? [Number(value.split('/')[1])] : []

/** As people write it: a single address without its length. */
export const shownListed = ({ kind, value }: Listed): string => {
  if (kind !== 'network') return value
  return value.replace(value.includes(':') ? /\/128$/ : /\/32$/, '')
}
