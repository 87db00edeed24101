/** Port 25, by which mail servers reach each other, both ways. */
import { isDialable } from '#server/lib/network-guard.ts'
import { canConnect } from '#server/lib/ports/can-connect.ts'
import { askGreeting } from './ask-greeting.ts'
import { WELL_KNOWN } from './check-name-servers.ts'
import {
  type Check,
  command,
  type Finding,
  good,
  type HealthApp,
  setting,
  unknown,
  wrong,
} from './finding.ts'
import { addressesOfHost, isOnThisMachine } from './own-addresses.ts'

const CONNECT_MS = 3_500

export const checkPortOut: Check = async (app) => {
  const { relayUrl, mxPort: port, allowLoopbackPeers } = app.config
  if (relayUrl !== null) return [await checkRelay(relayUrl)]
  const hosts = (await Promise.all(WELL_KNOWN.map((domain) => firstMx(app, domain)))).flatMap(
    (host) => host ?? [],
  )
  if (hosts.length === 0)
    return [
      unknown(
        `DNS names no mail server of ${WELL_KNOWN.join(', ')}.`,
        'Look at DNS_SERVERS, and check again.',
      ),
    ]
  const { dns } = app
  const tried = await Promise.all(
    hosts.map((host) => canConnect({ dns, host, port, allowLoopbackPeers }, CONNECT_MS)),
  )
  const reached = hosts[tried.indexOf(true)]
  if (reached !== undefined) return [good(`${reached} was reached at port ${port}.`)]
  return [
    wrong(
      `No connection to port ${port} of ${hosts.join(', ')} opens: the network blocks outgoing mail.`,
      'Ask your provider to open port 25 outwards, or send by a relay.',
      setting('RELAY_URL=smtp://user:password@relay.example.com:587'),
    ),
  ]
}

/** The operator chooses the relay: its name is resolved by the system, and it may have a private address. */
const checkRelay = async (relayUrl: string): Promise<Finding> => {
  const url = new URL(relayUrl)
  const port = Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587)
  const place = `port ${port} of ${url.hostname}`
  const greeting = await askGreeting(url.hostname.replace(/^\[|\]$/g, ''), port, CONNECT_MS)
  return greeting === null
    ? wrong(
        `All mail goes to RELAY_URL, and no connection to ${place} opens.`,
        'Correct RELAY_URL, or ask whoever runs that server.',
      )
    : good(`It is not needed: all mail goes to RELAY_URL, and ${place} answers.`)
}

const firstMx = async ({ dns }: HealthApp, domain: string): Promise<string | null> => {
  const answer = await dns.lookUp(domain, 'MX')
  if (answer.outcome !== 'found') return null
  const [first] = answer.records.toSorted((a, b) => (a.preference ?? 0) - (b.preference ?? 0))
  return first === undefined || first.data === '.' ? null : first.data
}

/** Said on this machine: whether the Internet may come in, too, only a mail from elsewhere shows. */
export const checkPortIn: Check = async (app) => {
  const { mailHost } = app.config
  const addresses = await addressesOfHost(app, mailHost)
  if (addresses === null || addresses.length === 0)
    return [unknown(`${mailHost} has no address that could be tried.`)]
  return Promise.all(addresses.map((ip) => checkGreeting(app, ip)))
}

const checkGreeting = async ({ config }: HealthApp, ip: string): Promise<Finding> => {
  const { mailHost, mxPort: port, allowLoopbackPeers } = config
  // Also an address of our own: the operator's DNS chooses it, no stranger.
  if (!isDialable(ip, allowLoopbackPeers))
    return unknown(`${ip} is no public address, so it is not tried.`)
  const greeting = await askGreeting(ip, port, CONNECT_MS)
  if (greeting?.startsWith(`220 ${mailHost} `))
    return good(`We answer at port ${port} of ${ip}, as seen from this machine.`)
  if (greeting)
    return wrong(
      `Another mail server answers at port ${port} of ${ip}: ${greeting}`,
      'Stop that program, often Postfix or Exim, or correct the address of MAIL_HOST.',
      command('ss -ltnp sport = :25'),
    )
  if (!isOnThisMachine(ip))
    return unknown(
      `Port ${port} of ${ip} does not answer this machine.`,
      'Behind a router this may be no fault: try it from another network, where the answer begins with 220.',
      command(`nc -w 5 ${mailHost} 25`),
    )
  return wrong(
    greeting === null
      ? `Nothing answers at port ${port} of ${ip}, so no mail can come.`
      : `Port ${port} of ${ip} opens, but says nothing, so no mail can come.`,
    'Let Mailstead listen there, and open the port in the firewall.',
    setting('SMTP_PORT=25', 'MAIL_LISTEN=0.0.0.0'),
  )
}
