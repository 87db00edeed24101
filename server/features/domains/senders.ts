import { isIP } from 'node:net'
import type { App } from '#server/app.ts'
import { addressMechanisms, type Senders } from '#server/dns/compare-spf.ts'
import { valuesOf } from '#server/dns/verdict.ts'
import { hostAddresses } from '#server/lib/dns/host-addresses.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'

type Place = Pick<App, 'config' | 'dns'>

export const sendersOf = async (app: Place): Promise<Senders> => {
  const ips = await sendingAddresses(app)
  const { spfInclude, mailHost } = app.config
  if (spfInclude) return { ips, mechanisms: [`include:${spfInclude}`] }
  if (ips === null || ips.length === 0) return { ips, mechanisms: [`a:${mailHost}`] }
  return { ips, mechanisms: addressMechanisms(ips) }
}

/** For a new domain: what is known about our senders without DNS look-ups. */
export const sendersWithoutDns = (app: App): Promise<Senders> =>
  sendersOf({ ...app, dns: { ...app.dns, lookUp: async () => notAsked } })

const notAsked = { outcome: 'failed' as const, reason: 'not asked', servers: [] }

/** Which addresses send our mail, and the SPF mechanisms that authorise them. */
const sendingAddresses = async ({ config, dns }: Place): Promise<string[] | null> => {
  if (config.mailIps.length > 0) return config.mailIps
  if (isIP(config.mailHost) !== 0) return [config.mailHost]
  if (config.mailHost === 'localhost') return ['127.0.0.1']
  return hostAddresses(dns.lookUp, config.mailHost)
}

/**
 * DNS look-ups for evaluating SPF and finding a DMARC policy, through DNS_SERVERS as receivers do.
 * After `giveUpAtMs` it makes no more look-ups, so that an abandoned evaluation ends.
 */
export const spfLookUp =
  (app: Pick<App, 'dns'>, giveUpAtMs = Number.POSITIVE_INFINITY): SpfLookUp =>
  async (name, type) => {
    if (Date.now() > giveUpAtMs) return { outcome: 'failed' }
    const answer = await app.dns.lookUp(name, type)
    const values = valuesOf(answer)
    if (values === null) return { outcome: 'failed' }
    return answer.outcome === 'found' ? { outcome: 'found', values } : { outcome: 'none' }
  }
