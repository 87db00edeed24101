import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { hostAddresses } from '#server/lib/dns/host-addresses.ts'
import { isSameAddress } from '#server/standards/reverse-name.ts'
import type { HealthApp } from './finding.ts'

/** A hostile answer may have hundreds. */
const MOST_ADDRESSES = 8

export const addressesOfHost = async (
  { dns }: HealthApp,
  name: string,
): Promise<string[] | null> => {
  if (isIP(name) !== 0) return [name]
  return (await hostAddresses(dns.lookUp, name))?.slice(0, MOST_ADDRESSES) ?? null
}

/** Those that send mail: MAIL_IPS, else the addresses of MAIL_HOST; null: DNS does not answer. */
export const sendingAddresses = async (app: HealthApp): Promise<string[] | null> =>
  app.config.mailIps.length > 0
    ? app.config.mailIps.slice(0, MOST_ADDRESSES)
    : addressesOfHost(app, app.config.mailHost)

/** Otherwise a router stands before this machine, which may lead nothing back that comes from inside. */
export const isOnThisMachine = (ip: string): boolean =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .some(({ address }) => isSameAddress(address, ip)) || ip.startsWith('127.')
