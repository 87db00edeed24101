/** To the hosts of the recipient's domain, or all to the relay. */
import { isIP } from 'node:net'
import type { App } from '#server/app.ts'
import { findStsPolicy } from '#server/features/outbox/find-sts-policy.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import type { Dns, ResourceRecord } from '#server/lib/dns/dns.ts'
import { dialableAddresses, NotDialable } from '#server/lib/network-guard.ts'
import { isHostInPolicy } from '#server/standards/mta-sts.ts'
import { attemptSmtp, type Told, type Ways } from './smtp/attempt.ts'
import type { Destination, Mail } from './smtp/session.ts'

export type Attempts = readonly [...Attempt[], Attempt]

/** Of each family. */
const MAX_ADDRESSES = 2

/** Asks host after host until one has said something about the mail itself. @throws HostFull */
export const deliverRemotely = async (
  app: App,
  domain: string,
  mail: Mail,
  ways: Ways & { policyPort: number },
): Promise<Attempts> => {
  if (app.config.relayUrl !== null)
    return [ledgerRow(await attemptSmtp(relayOf(app.config.relayUrl), mail, ways))]
  const found = await findHosts(app.dns, domain)
  if (found.outcome === 'nowhere') return [unasked('failed', domain, found.reply)]
  if (found.outcome === 'unknown')
    return [unasked('deferred', domain, `${domain} could not be looked up: ${found.reason}`)]
  const policy = await findStsPolicy(app, domain, ways.policyPort)
  const enforced = policy?.mode === 'enforce' ? policy : null
  const attempts: Told[] = []
  for (const host of found.hosts) {
    const told =
      enforced !== null && !isHostInPolicy(enforced, host)
        ? [{ ...unasked('deferred', host, notInPolicy(domain)), isAboutHost: true }]
        : await toHost(app, host, enforced === null ? 'opportunistic' : 'required', mail, ways)
    attempts.push(...told)
    if (told.some(({ isAboutHost }) => !isAboutHost)) break
  }
  return decisiveLast(attempts)
}

/** The operator's own choice: its name is resolved as the system does, and it may be a private address. */
export const relayOf = (relayUrl: string): Destination => {
  const url = new URL(relayUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const isNear = host === 'localhost' || (isIP(host) !== 0 && /^(127\.|::1$)/.test(host))
  return {
    host,
    dialled: { address: host, port: Number(url.port) || (isSecure ? 465 : 587) },
    isSecure,
    // A password leaves the machine only over a connection whose other end is known.
    tls: (user !== '' || isSecure) && !isNear ? 'required' : 'opportunistic',
    auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
  }
}

export type MailHosts =
  /** Best first. */
  | { outcome: 'hosts'; hosts: string[] }
  /** There will never be one: no such domain, or it says that it takes no mail. */
  | { outcome: 'nowhere'; reply: string }
  | { outcome: 'unknown'; reason: string }

const MAX_HOSTS = 8

/** Which hosts take mail for a domain (RFC 5321 §5.1). */
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

const notInPolicy = (domain: string): string =>
  `it is not among the hosts that the policy of ${domain} names (MTA-STS)`

const toHost = async (
  app: App,
  host: string,
  tls: Destination['tls'],
  mail: Mail,
  ways: Ways,
): Promise<Told[]> => {
  const { allowLoopbackPeers, mailIps, mxPort: port } = app.config
  let addresses: string[]
  try {
    addresses = inTurn(await dialableAddresses(app.dns, host, allowLoopbackPeers), mailIps)
  } catch (error) {
    return [{ ...withoutAddress(host, error), isAboutHost: true }]
  }
  const attempts: Told[] = []
  for (const address of addresses) {
    const to = { host, dialled: { address, port }, isSecure: false, tls, auth: null }
    const told = await attemptSmtp(to, mail, ways)
    attempts.push(told)
    if (!told.isAboutHost) break
  }
  return attempts
}

/**
 * The families in turn, so that a path that is broken for one of them delays no mail. IPv6 comes first only where
 * MAIL_IPS says that we send from such an address: others may find no SPF and no name for it.
 */
const inTurn = (addresses: readonly string[], mailIps: readonly string[]): string[] => {
  const of = (family: number) =>
    addresses.filter((address) => isIP(address) === family).slice(0, MAX_ADDRESSES)
  const [four, six] = [of(4), of(6)]
  const [first, second] = mailIps.some((ip) => isIP(ip) === 6) ? [six, four] : [four, six]
  return Array.from({ length: MAX_ADDRESSES }, (_, n) => [first[n], second[n]])
    .flat()
    .filter((address) => address !== undefined)
}

const withoutAddress = (host: string, error: unknown): Attempt => {
  const reason = error instanceof Error ? error.message : String(error)
  const isDefinite =
    error instanceof NotDialable ||
    (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND')
  return isDefinite
    ? unasked('failed', host, `550 5.4.4 ${reason}`)
    : unasked('deferred', host, reason)
}

const unasked = (outcome: 'deferred' | 'failed', host: string, reply: string): Attempt => ({
  outcome,
  host,
  ip: '',
  isTls: false,
  code: null,
  reply,
})

/** The last attempt decides: what was said about the mail, else a host that may be back later. */
const decisiveLast = (attempts: readonly Told[]): Attempts => {
  const weight = ({ isAboutHost, outcome }: Told) =>
    isAboutHost ? (outcome === 'deferred' ? 1 : 0) : 2
  const rows = attempts.toSorted((a, b) => weight(a) - weight(b)).map(ledgerRow)
  const last = rows.pop()
  if (last === undefined) throw new Error('a domain with mail hosts needs an attempt')
  return [...rows, last]
}

const ledgerRow = ({ isAboutHost: _, ...attempt }: Told): Attempt => attempt
