/** Whether DNS_SERVERS see the Internet: without them nothing else can be known, and no mail finds its way. */
import { valuesOf } from '#server/dns/verdict.ts'
import { type Check, good, setting, wrong } from './finding.ts'

/** Domains that are hardly ever away at the same time. */
export const WELL_KNOWN = ['gmail.com', 'outlook.com', 'yahoo.com']

export const checkNameServers: Check = async ({ dns, config }) => {
  const named = config.dnsServers.length === 0 ? 'The name servers of this machine' : 'DNS_SERVERS'
  const answers = await Promise.all(WELL_KNOWN.map((name) => dns.lookUp(name, 'MX').then(valuesOf)))
  const known = WELL_KNOWN.filter((_, at) => (answers[at]?.length ?? 0) > 0)
  if (known.length > 0) return [good(`${named} know the mail servers of ${known.join(', ')}.`)]
  const mending = 'Name resolvers that see the Internet, best on this machine, and start again.'
  const remedy = setting('DNS_SERVERS=127.0.0.1:53')
  if (answers.includes(null))
    return [wrong(`${named} do not answer, so no mail finds its way.`, mending, remedy)]
  return [
    wrong(
      `${named} know no mail server of ${WELL_KNOWN.join(', ')}, so what they say is not what others see.`,
      mending,
      remedy,
    ),
  ]
}
