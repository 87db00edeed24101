/**
 * Whether this installation is a trial: others cannot reach it under the names that it has, so a DNS record with them would send
 * mail nowhere (decision 060). Tests and the demo have a world of their own, in which they are reached.
 */
import { isIP } from 'node:net'
import { AppError } from '#contract/errors.ts'
import { type TrialSetting, trialSentence } from '#contract/installation.ts'
import type { App } from '#server/app.ts'
import { isLoopback, isPublicAddress } from '#server/lib/network-guard.ts'
import { readDomainName } from '#server/standards/domain-name.ts'

type Named = Pick<App['config'], 'allowLoopbackPeers' | 'publicUrl' | 'mailHost' | 'mailIps'>

/** The settings that name no public place; empty: this is no trial. */
export const trialSettings = (config: Named): TrialSetting[] => {
  const { allowLoopbackPeers, publicUrl, mailHost, mailIps } = config
  if (allowLoopbackPeers) return []
  return [
    ...(isPublicHost(new URL(publicUrl).hostname) ? [] : (['PUBLIC_URL'] as const)),
    ...(isPublicHost(mailHost) ? [] : (['MAIL_HOST'] as const)),
    ...(mailIps.every(isPublicAddress) ? [] : (['MAIL_IPS'] as const)),
  ]
}

/** A name of the public DNS, or a public address. */
const isPublicHost = (host: string): boolean => {
  const ip = host.replace(/^\[|\]$/g, '')
  if (isIP(ip) !== 0) return isPublicAddress(ip)
  return !isLoopback(host) && 'name' in readDomainName(host, false)
}

/** The port of the DNS that everybody asks. Where DNS_PORT is another, the operator has a DNS of their own, and names of it. */
const PUBLIC_DNS_PORT = 53

export const hidesRecords = (config: App['config']): boolean =>
  config.dnsPort === PUBLIC_DNS_PORT && trialSettings(config).length > 0

/** Call before a record is shown that is to be published in the DNS of everybody. @throws TRIAL */
export const requirePublicNames = ({ config }: Pick<App, 'config'>): void => {
  if (hidesRecords(config))
    throw new AppError('TRIAL', { message: trialSentence(trialSettings(config)) })
}
