/** Which addresses send our mail, and the SPF mechanisms that authorise them. */
import { isIP } from 'node:net'
import type { App } from '#server/app.ts'

export type Senders = {
  /** null: MAIL_IPS is not set and MAIL_HOST could not be looked up. */
  ips: string[] | null
  mechanisms: string[]
}

export const sendersOf = async (app: App): Promise<Senders> => {
  const ips = await sendingAddresses(app)
  const { spfInclude, mailHost } = app.config
  if (spfInclude) return { ips, mechanisms: [`include:${spfInclude}`] }
  if (ips === null || ips.length === 0) return { ips, mechanisms: [`a:${mailHost}`] }
  return { ips, mechanisms: addressMechanisms(ips) }
}

export const addressMechanisms = (ips: readonly string[]): string[] =>
  ips.map((ip) => `${isIP(ip) === 6 ? 'ip6' : 'ip4'}:${ip}`)

/** What can be said without asking DNS, for a domain that is only just added. */
export const sendersWithoutDns = (app: App): Promise<Senders> =>
  sendersOf({ ...app, dns: { ...app.dns, lookUp: async () => notAsked } })

const notAsked = { outcome: 'failed' as const, reason: 'not asked', servers: [] }

const sendingAddresses = async ({ config, dns }: App): Promise<string[] | null> => {
  if (config.mailIps.length > 0) return config.mailIps
  if (isIP(config.mailHost) !== 0) return [config.mailHost]
  if (config.mailHost === 'localhost') return ['127.0.0.1']
  const answers = await Promise.all([
    dns.lookUp(config.mailHost, 'A'),
    dns.lookUp(config.mailHost, 'AAAA'),
  ])
  if (answers.some(({ outcome }) => outcome === 'failed')) return null
  return answers.flatMap((answer) =>
    answer.outcome === 'found' ? answer.records.map(({ data }) => data) : [],
  )
}
