/** Whether a name leads to this installation, as DNS_SERVERS see it: a directory is asked for no other. */
import type { App } from '#server/app.ts'
import { hostForMxOf, webHostOf } from '#server/features/domains/mail-server.ts'
import { addressIn } from '#server/lib/address-text.ts'
import { hostAddresses } from '#server/lib/dns/host-addresses.ts'

/** A sentence, or null: it does. @throws nothing; a DNS that does not answer is a reason too */
export const whyNotHere = async (
  app: App,
  { name, isOwn }: { name: string; isOwn: boolean },
): Promise<string | null> => {
  const there = await hostAddresses(app.dns.lookUp, name)
  if (there === null) return `DNS did not answer for ${name}.`
  if (there.length === 0) return `${name} has no address in DNS yet.`
  // Behind a router nobody here knows the address of our own names; the host for MX may be another's.
  if (isOwn && name !== hostForMxOf(app)) return null
  const hosts = [...new Set([app.config.mailHost, webHostOf(app) ?? app.config.mailHost])]
  const ours = await Promise.all(hosts.map((host) => hostAddresses(app.dns.lookUp, host)))
  const known = new Set([...ours.flatMap((ips) => ips ?? []), ...app.config.mailIps].map(plain))
  const elsewhere = there.find((ip) => !known.has(plain(ip)))
  return elsewhere === undefined ? null : `${name} leads to ${elsewhere}, and not here.`
}

const plain = (ip: string): string => addressIn(ip) ?? ip
