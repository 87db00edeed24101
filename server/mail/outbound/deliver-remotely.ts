/** To the hosts of the recipient's domain, or all to the relay. */
import { isIP } from 'node:net'
import type { App } from '#server/app.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import { dialableAddresses, NotDialable } from '#server/lib/network-guard.ts'
import { findHosts } from './find-hosts.ts'
import { attemptSmtp, type Mail, type Timeouts, type Told } from './smtp-attempt.ts'

export type Attempts = readonly [...Attempt[], Attempt]

const MAX_ADDRESSES_PER_HOST = 2

/** Asks host after host until one has said something about the mail itself. */
export const deliverRemotely = async (
  app: App,
  domain: string,
  mail: Mail,
  timeouts: Timeouts,
): Promise<Attempts> => {
  if (app.config.relayUrl !== null)
    return [ledgerRow(await toRelay(new URL(app.config.relayUrl), mail, timeouts))]
  const found = await findHosts(app.dns, domain)
  if (found.outcome === 'nowhere') return [unasked('failed', domain, found.reply)]
  if (found.outcome === 'unknown')
    return [unasked('deferred', domain, `${domain} could not be looked up: ${found.reason}`)]
  const attempts: Told[] = []
  for (const host of found.hosts) {
    const told = await toHost(app, host, mail, timeouts)
    attempts.push(...told)
    if (told.some(({ isAboutHost }) => !isAboutHost)) break
  }
  return decisiveLast(attempts)
}

const toHost = async (app: App, host: string, mail: Mail, timeouts: Timeouts): Promise<Told[]> => {
  let addresses: string[]
  try {
    addresses = await dialableAddresses(app.dns, host, app.config.allowLoopbackPeers)
  } catch (error) {
    return [{ ...withoutAddress(host, error), isAboutHost: true }]
  }
  const attempts: Told[] = []
  for (const address of addresses.slice(0, MAX_ADDRESSES_PER_HOST)) {
    const told = await attemptSmtp(
      {
        host,
        dialled: { address, port: app.config.mxPort },
        isSecure: false,
        tls: 'opportunistic',
        auth: null,
      },
      mail,
      timeouts,
    )
    attempts.push(told)
    if (!told.isAboutHost) break
  }
  return attempts
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

/** The operator's own choice: its name is resolved as the system does, and it may be a private address. */
const toRelay = (url: URL, mail: Mail, timeouts: Timeouts): Promise<Told> => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const isNear = host === 'localhost' || (isIP(host) !== 0 && /^(127\.|::1$)/.test(host))
  return attemptSmtp(
    {
      host,
      dialled: { address: host, port: Number(url.port) || (isSecure ? 465 : 587) },
      isSecure,
      // A password leaves the machine only over a connection whose other end is known.
      tls: (user !== '' || isSecure) && !isNear ? 'required' : 'opportunistic',
      auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
    },
    mail,
    timeouts,
  )
}
