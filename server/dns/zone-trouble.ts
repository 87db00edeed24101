/** Recognises a zone that cannot be looked up. The verdict names the servers and never counts against the record. */
import type { Observation, ServerAnswer } from '#server/lib/dns/dns.ts'
import { isDefinite, listed, nameOf } from './seen.ts'
import { couldNotCheck, type Verdict, verdict } from './verdict.ts'

/** Returns null when a server gave a definite and trustworthy answer. */
export const zoneTrouble = (observation: Observation): Verdict | null => {
  const { authorities, resolvers, name, zone } = observation
  if (resolvers.some(isBogus) && !resolvers.some(isDefinite)) return bogus(zone ?? name)
  if ([...authorities, ...resolvers].some(isDefinite)) return null
  // An invalid DNS name cannot have records.
  if (authorities.length === 0 && resolvers.length === 0 && zone === null && !isName(name))
    return null
  if (authorities.length > 0 && authorities.every(isLame)) return lame(zone ?? name, authorities)
  return couldNotCheck(reasonOf(observation))
}

const isName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= 253 &&
  name.split('.').every((label) => /^.{1,63}$/s.test(label))

const isBogus = ({ fault }: ServerAnswer): boolean => fault === 'bogus'

/** The server answers, but not for this zone. */
const isLame = ({ fault }: ServerAnswer): boolean =>
  fault === 'lame' || fault === 'refused' || fault === 'no-address'

const bogus = (zone: string): Verdict =>
  verdict(
    'unknown',
    [],
    `The DNSSEC signatures of ${zone} are wrong, so most of the world treats its records as forged and sees none of them.`,
    `Have the DNS provider sign ${zone} again, or remove the DS record of ${zone} at the registrar until it is signed rightly.`,
  )

const lame = (zone: string, servers: ServerAnswer[]): Verdict => {
  const hosts = listed(servers.map(nameOf))
  return verdict(
    'unknown',
    [],
    `${zone} is delegated to ${hosts}, which ${servers.length > 1 ? 'do' : 'does'} not know this zone, so none of its records can be seen.`,
    `Add the zone ${zone} at the provider that runs ${hosts}, or set the name servers at the registrar to those of the provider where its records are.`,
  )
}

/** The same for every record of a domain whose servers fail alike, so that a list says it once. */
const reasonOf = ({ authorities, resolvers, zone, name }: Observation): string => {
  const reasons = [...new Set([...authorities, ...resolvers].map(namedReason))]
  const who = authorities.length > 0 ? `the name servers of ${zone ?? name}` : 'its name servers'
  return reasons.length === 0
    ? 'no DNS server is known'
    : `${who} did not answer (${reasons.join('; ')})`
}

/** Name servers are known by their names. */
const namedReason = ({ host, server, reason }: ServerAnswer): string =>
  host !== '' && server !== '' && reason.startsWith(server)
    ? `${host} (${server})${reason.slice(server.length)}`
    : reason
