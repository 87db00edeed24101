/** Compares MX records by target: a foreign host with the same or a better preference would take our mail. Pure. */
import { isIP } from 'node:net'
import type { ResourceRecord } from '#server/lib/dns/dns.ts'
import { type Verdict, verdict } from './verdict.ts'

export const MX_PRIORITY = 10

export const compareMx = (records: ResourceRecord[], name: string, mailHost: string): Verdict => {
  const ourName = mailHost.toLowerCase()
  const hosts = records
    .map(({ data, preference = 0 }) => ({ host: data.toLowerCase(), preference }))
    .sort((a, b) => a.preference - b.preference || (a.host < b.host ? -1 : 1))
  const found = hosts.map(({ host, preference }) => `${preference} ${host}`)
  const change = `When you want to receive mail here, let the MX records of ${name} name only ${mailHost}, with priority ${MX_PRIORITY}.`
  if (hosts.length === 0)
    return verdict(
      'waiting',
      [],
      `${name} has no MX record yet, so it receives no mail here.`,
      `Add an MX record at ${name} for ${mailHost} with priority ${MX_PRIORITY}.`,
    )
  const ours = hosts.find(({ host }) => host === ourName)
  const other = hosts.find(({ host }) => host !== ourName)
  if (!ours)
    return foreignMx(
      hosts.map(({ host }) => host),
      found,
      { name, mailHost, change },
    )
  if (other && other.preference <= ours.preference)
    return verdict(
      'conflict',
      found,
      `Some mail for ${name} goes to ${other.host === '.' ? 'nobody' : other.host}, whose MX record has ${other.preference === ours.preference ? 'the same' : 'a better'} priority (${other.preference}; ours has ${ours.preference}).`,
      change,
    )
  if (other) return withFallback(other, found, { name, mailHost })
  return verdict('verified', found)
}

/** Senders try it when ours is slow to answer, and spammers try it first. */
const withFallback = (
  { host, preference }: { host: string; preference: number },
  found: string[],
  { name, mailHost }: { name: string; mailHost: string },
): Verdict =>
  verdict(
    'verified',
    found,
    `${host} is still named as a fallback (priority ${preference}): some mail for ${name} goes there instead of here.`,
    `Remove the MX record for ${host} at ${name}, so that only ${mailHost} is left.`,
  )

const foreignMx = (
  hosts: string[],
  found: string[],
  { name, mailHost, change }: { name: string; mailHost: string; change: string },
): Verdict => {
  const doubled = hosts.find((host) => host.startsWith(`${mailHost.toLowerCase()}.`))
  if (doubled !== undefined)
    return verdict(
      'different',
      found,
      `The MX record of ${name} names ${doubled}: the DNS provider has appended a domain to ${mailHost}.`,
      `Enter the mail server of ${name} as '${mailHost}.', with a dot at the end.`,
    )
  const [first = ''] = hosts
  if (first === '.')
    return verdict(
      'different',
      found,
      `The MX record of ${name} says that it takes no mail (a null MX).`,
      change,
    )
  if (isIP(first) !== 0)
    return verdict(
      'different',
      found,
      `The MX record of ${name} holds the address ${first}, where only the name of a mail server may stand.`,
      change,
    )
  return verdict('different', found, `Mail for ${name} goes to ${first}.`, change)
}
