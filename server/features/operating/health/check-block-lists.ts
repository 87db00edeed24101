/** DNS block lists (RFC 5782) that many mail servers ask about whoever sends to them. */
import { isListing, reversedAddress } from '#server/standards/junk/dnsbl.ts'
import { type Check, type Finding, good, type HealthApp, page, unknown, wrong } from './finding.ts'
import { sendingAddresses } from './own-addresses.ts'

type List = { zone: string; delistAt: (ip: string) => string }

const LISTS: readonly List[] = [
  {
    zone: 'zen.spamhaus.org',
    delistAt: (ip) => `https://check.spamhaus.org/results/?query=${ip}`,
  },
  {
    zone: 'b.barracudacentral.org',
    delistAt: () => 'https://www.barracudacentral.org/rbl/removal-request',
  },
  {
    zone: 'bl.spamcop.net',
    delistAt: (ip) => `https://www.spamcop.net/w3m?action=checkblock&ip=${ip}`,
  },
]

/** Every list names it, so that one can see whether the list answers at all (section 5). */
const ALWAYS_LISTED = '127.0.0.2'

export const checkBlockLists: Check = async (app) => {
  const addresses = await sendingAddresses(app)
  if (addresses === null || addresses.length === 0)
    return [unknown('It is not known which addresses send mail.', 'Set MAIL_IPS.')]
  const asked = await Promise.all(LISTS.map((list) => checkList(app, list, addresses)))
  const silent = LISTS.filter((_, at) => asked[at] === null).map(({ zone }) => zone)
  const listings = asked.flatMap((each) => each ?? [])
  const clean = LISTS.filter((_, at) => asked[at]?.length === 0).map(({ zone }) => zone)
  return [
    ...listings,
    ...(silent.length === 0
      ? []
      : [
          unknown(
            `${silent.join(', ')} ${silent.length === 1 ? 'gives' : 'give'} no answer to these name servers.`,
            'Block lists refuse large public resolvers: set DNS_SERVERS to one of your own.',
          ),
        ]),
    ...(clean.length === 0 ? [] : [good(`${addresses.join(', ')}: not on ${clean.join(', ')}.`)]),
  ]
}

/** null: it refuses to answer, or does not answer truly. */
const checkList = async (
  app: HealthApp,
  list: List,
  addresses: readonly string[],
): Promise<Finding[] | null> => {
  const isListed = (ip: string) => ask(app, list.zone, ip)
  const [control, ...answers] = await Promise.all([ALWAYS_LISTED, ...addresses].map(isListed))
  if (control !== true || answers.includes(null)) return null
  return addresses
    .filter((_, at) => answers[at] === true)
    .map((ip) =>
      wrong(
        `${ip} is on the block list ${list.zone}, so many servers refuse its mail.`,
        'Find out why, end it, and ask there to be taken off.',
        page(list.delistAt(ip)),
      ),
    )
}

/** null: no definite answer, as 127.255.255.x says, or one that comes from elsewhere. */
const ask = async ({ dns }: HealthApp, zone: string, ip: string): Promise<boolean | null> => {
  const answer = await dns.lookUp(`${reversedAddress(ip)}.${zone}`, 'A')
  if (answer.outcome === 'failed') return null
  if (answer.outcome === 'none') return false
  return answer.records.every(({ data }) => isListing(data)) ? true : null
}
