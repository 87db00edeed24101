/** Delivers to the MX hosts of the recipient's domain, or to the relay. */
import { isIP } from 'node:net'
import type { App } from '#server/app.ts'
import { findStsPolicy } from '#server/features/outbox/find-sts-policy.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import type { Dns, ResourceRecord } from '#server/lib/dns/dns.ts'
import { dialableAddresses, NotDialable } from '#server/lib/network-guard.ts'
import { type Destination, relayOf } from '#server/lib/remote/smtp-destination.ts'
import { isHostInPolicy } from '#server/standards/mta-sts.ts'
import { attemptSmtp, type HostAttempt, type Ways } from './smtp/attempt.ts'
import type { Mail } from './smtp/session.ts'

export type Attempts = readonly [...Attempt[], Attempt]

/** Addresses per family. */
const MAX_ADDRESSES = 2

/** Tries host after host until one has answered about the mail itself. @throws HostFull */
export const deliverRemotely = async (
  app: App,
  domain: string,
  mail: Mail,
  ways: Ways & { policyPort: number },
): Promise<Attempts> => {
  if (app.config.relayUrl !== null)
    return [ledgerRow(await attemptSmtp(relayOf(app.config.relayUrl), mail, ways))]
  const found = await findHosts(app.dns, domain)
  if (found.outcome === 'nowhere') return [notAttempted('failed', domain, found.reply)]
  if (found.outcome === 'unknown')
    return [notAttempted('deferred', domain, `${domain} could not be looked up: ${found.reason}`)]
  const policy = await findStsPolicy(app, domain, ways.policyPort)
  const enforced = policy?.mode === 'enforce' ? policy : null
  const attempts: HostAttempt[] = []
  for (const host of found.hosts) {
    const hostAttempts =
      enforced !== null && !isHostInPolicy(enforced, host)
        ? [{ ...notAttempted('deferred', host, notInPolicy(domain)), isAboutHost: true }]
        : await toHost(app, host, enforced === null ? 'opportunistic' : 'required', mail, ways)
    attempts.push(...hostAttempts)
    if (hostAttempts.some(({ isAboutHost }) => !isAboutHost)) break
  }
  return decisiveLast(attempts)
}

export type MailHosts =
  /** In order of preference. */
  | { outcome: 'hosts'; hosts: string[] }
  /** Permanent: the domain does not exist, or has a null MX. */
  | { outcome: 'nowhere'; reply: string }
  | { outcome: 'unknown'; reason: string }

const MAX_HOSTS = 8

/** The mail hosts of a domain (RFC 5321 §5.1). */
export const findHosts = async (dns: Dns, domain: string): Promise<MailHosts> => {
  const answer = await dns.lookUp(domain, 'MX')
  if (answer.outcome === 'failed') return { outcome: 'unknown', reason: answer.reason }
  if (answer.outcome === 'none')
    return answer.isNxdomain
      ? { outcome: 'nowhere', reply: `550 5.1.2 The domain ${domain} does not exist` }
      : // Without MX records the domain itself is the mail host (RFC 5321 §5.1).
        { outcome: 'hosts', hosts: [domain] }
  if (answer.records.every(({ data }) => isNull(data)))
    return { outcome: 'nowhere', reply: `556 5.1.10 The domain ${domain} takes no mail` }
  return { outcome: 'hosts', hosts: inOrder(answer.records).slice(0, MAX_HOSTS) }
}

/** RFC 7505. */
const isNull = (host: string): boolean => host === '' || host === '.'

/** By preference; in random order among equals, to share the load. */
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
): Promise<HostAttempt[]> => {
  const { allowLoopbackPeers, mailIps, mxPort: port } = app.config
  let addresses: string[]
  try {
    addresses = inTurn(await dialableAddresses(app.dns, host, allowLoopbackPeers), mailIps)
  } catch (error) {
    return [{ ...withoutAddress(host, error), isAboutHost: true }]
  }
  const attempts: HostAttempt[] = []
  for (const address of addresses) {
    const to = { host, dialled: { address, port }, isSecure: false, tls, auth: null }
    const attempt = await attemptSmtp(to, mail, ways)
    attempts.push(attempt)
    if (!attempt.isAboutHost) break
  }
  return attempts
}

/**
 * Alternates the address families, so that a broken path of one family delays no mail. IPv6 comes first only when MAIL_IPS has an
 * IPv6 address: without one, receivers may find neither SPF nor a reverse name for it.
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
    ? notAttempted('failed', host, `550 5.4.4 ${reason}`)
    : notAttempted('deferred', host, reason)
}

const notAttempted = (outcome: 'deferred' | 'failed', host: string, reply: string): Attempt => ({
  outcome,
  host,
  ip: '',
  isTls: false,
  code: null,
  reply,
})

/** The last attempt decides: an answer about the mail wins, then a host that may come back. */
const decisiveLast = (attempts: readonly HostAttempt[]): Attempts => {
  const weight = ({ isAboutHost, outcome }: HostAttempt) =>
    isAboutHost ? (outcome === 'deferred' ? 1 : 0) : 2
  const rows = attempts.toSorted((a, b) => weight(a) - weight(b)).map(ledgerRow)
  const last = rows.pop()
  if (last === undefined) throw new Error('a domain with mail hosts needs an attempt')
  return [...rows, last]
}

const ledgerRow = ({ isAboutHost: _, ...attempt }: HostAttempt): Attempt => attempt
