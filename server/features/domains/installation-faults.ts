/**
 * What keeps this installation from real mail, as far as it can try that itself: its address, its reverse name, and a connection
 * to port 25 elsewhere. Admins read it and tell their operator. Looked at when an Admin opens the home, at most once an hour
 * (decision 060).
 */
import type { App } from '#server/app.ts'
import { presentMail } from '#server/dns/receiving-changes.ts'
import { valuesOf } from '#server/dns/verdict.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { remembered } from '#server/lib/cache.ts'
import { canConnect } from '#server/lib/ports/can-connect.ts'
import { within } from '#server/lib/wait.ts'
import { isSameAddress, reverseNameOf } from '#server/standards/reverse-name.ts'
import { readHealth } from './health-store.ts'
import { trialSettings } from './trial.ts'

const LIMIT_MS = 5000
/** Hosts that are tried before port 25 is called closed. */
const MOST_HOSTS = 3

/** One sentence each; empty where nothing is wrong or known to be, in a trial, and in the world of tests. */
export const installationFaults = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
): Promise<string[]> => {
  const { allowLoopbackPeers } = app.config
  if (allowLoopbackPeers || trialSettings(app.config).length > 0) return []
  const own = await remembered(app.caches.installationFaults, '', () => namesAtFault(app))
  const hosts = await hostsElsewhere(app, workspaceId)
  if (hosts.length === 0 || app.config.relayUrl !== null) return own
  const closed = await remembered(app.caches.installationFaults, workspaceId, () =>
    portAtFault(app, hosts),
  )
  return [...own, ...closed]
}

/** Without MAIL_IPS the addresses of MAIL_HOST are ours. */
export const namesAtFault = async (app: App): Promise<string[]> => {
  const { mailHost, mailIps } = app.config
  const giveUpAt = Date.now() + LIMIT_MS
  const look = async (name: string, type: 'A' | 'AAAA' | 'PTR') =>
    within(giveUpAt, app.dns.lookUp(name, type).then(valuesOf), null)
  const [four, six] = await Promise.all([look(mailHost, 'A'), look(mailHost, 'AAAA')])
  if (four === null || six === null) return []
  const addresses = [...four, ...six]
  if (addresses.length === 0)
    return [`Its name ${mailHost} has no address in DNS, so no mail can come to it.`]
  const strays = mailIps.filter((ip) => !addresses.some((each) => isSameAddress(each, ip)))
  const faults = strays.map(
    (ip) => `It sends from ${ip}, but its name ${mailHost} has another address.`,
  )
  for (const ip of mailIps.length > 0 ? mailIps : addresses) {
    const names = await look(reverseNameOf(ip), 'PTR')
    if (names !== null && !names.some((name) => isSameName(name, mailHost)))
      faults.push(
        `The reverse name of ${ip} is not ${mailHost}: other servers may refuse its mail.`,
      )
  }
  return faults
}

const isSameName = (a: string, b: string): boolean =>
  a.toLowerCase().replace(/\.$/, '') === b.toLowerCase()

/** Servers that have the mail of domains of this workspace now. */
const hostsElsewhere = async (app: App, workspaceId: string): Promise<string[]> => {
  const domains = await readHealth(app.db, workspaceId, null)
  const hosts = domains.flatMap(({ mx }) => presentMail(mx ?? [], app.config.mailHost).foreign)
  return [...new Set(hosts.map(({ host }) => host))].slice(0, MOST_HOSTS)
}

export const portAtFault = async (app: App, hosts: readonly string[]): Promise<string[]> => {
  const { dns, config } = app
  const { mxPort: port, allowLoopbackPeers } = config
  const tried = await Promise.all(
    hosts.map((host) => canConnect({ dns, host, port, allowLoopbackPeers }, LIMIT_MS)),
  )
  return tried.includes(true)
    ? []
    : [
        `It cannot connect to port ${port} of ${hosts.join(', ')}: the network may block outgoing mail.`,
      ]
}
