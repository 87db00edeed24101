/** What a domain looks like in DNS before anything is changed: who runs its DNS and its mail, what is there and stays. */
import { z } from 'zod'
import { recordPurpose, recordState } from '../domains.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** How the editor of a DNS provider wants records; facts about that provider, not about the domain. */
export const dnsProvider = z.object({
  name: z.string(),
  /** The label of its field for the host name: 'Name', 'Host' ... */
  hostLabel: z.string(),
  /** true: the editor appends the zone to what is typed, so relative names are entered. */
  appendsDomain: z.boolean(),
  /** What is typed for the zone itself: '@', or nothing. */
  apexHost: z.enum(['@', '']),
  /** The most characters that its field takes for one TXT value; null when it publishes no limit. */
  longestTxt: z.number().int().nullable(),
  /** How it wants a TXT value above 255 bytes: 'whole', or already cut into quoted 'strings'. */
  longValues: z.enum(['whole', 'strings']),
  /** Its page for the records of this zone, or the page where that begins. */
  url: z.url(),
  /** What goes wrong there most, in a sentence or two. */
  hint: z.string(),
})
export type DnsProvider = z.infer<typeof dnsProvider>

export const presentMail = z.object({
  /** Best first. A null MX is no host. */
  hosts: z.array(z.object({ host: z.string(), priority: z.number().int() })),
  /** 'Google Workspace'; null when no host is known, or none by us. */
  service: z.string().nullable(),
  /** Where mail goes that does not come here: the service, or its best host; null when there is no such host. */
  elsewhere: z.string().nullable(),
  /** Mail comes here first. */
  isOurs: z.boolean(),
  /** RFC 7505: the domain says that it takes no mail. */
  hasNullMx: z.boolean(),
})

export const presentSpf = z.object({
  /** Every SPF record that stands at the domain. */
  found: z.array(z.string()),
  /** Whom they authorise already, in words. */
  services: z.array(z.string()),
  /** Whom of them the one that we propose does not name: what cannot be used makes receivers ignore all of it. */
  leftOut: z.array(z.string()),
  /** The one record that we propose; it keeps what was found. */
  merged: z.string(),
  /** What of it is ours. */
  added: z.string(),
})

export const presentDmarc = z.object({
  /** What claims to be a policy at the domain itself, valid or not; else the one that applies from above. */
  found: z.array(z.string()),
  /** null: none applies. */
  policy: z.enum(['none', 'quarantine', 'reject']).nullable(),
  /** The name where `policy` was found; null when none applies. */
  at: z.string().nullable(),
  /** A policy applies and stays as it is. */
  isKept: z.boolean(),
})

export const dnsSetting = z.object({
  /** The zone that the domain lies in; null when not known. Names relative to it are what a provider's editor takes. */
  zone: z.string().nullable(),
  nameServers: z.array(z.string()),
  /** null when the name servers are nobody's whom we know. */
  provider: dnsProvider.nullable(),
  /** Of these, null: DNS has not told yet. */
  mail: presentMail.nullable(),
  spf: presentSpf.nullable(),
  dmarc: presentDmarc.nullable(),
  /** What moving the MX records here would change, and for whom, in sentences; empty when nothing would change. */
  receiving: z.object({ changes: z.array(z.string()) }),
  checkedAt: z.iso.datetime().nullable(),
  nextCheckAt: z.iso.datetime().nullable(),
})
export type DnsSetting = z.infer<typeof dnsSetting>

/** The name as an editor takes it that appends the zone. Absolute where it is not in the zone. */
export const hostInZone = (name: string, zone: string | null, apexHost = '@'): string => {
  if (zone === null) return name
  if (name === zone) return apexHost
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

const domainId = z.object({ id: z.string() })

export const getDnsSetting = route({
  method: 'GET',
  path: '/domains/{id}/dns',
  summary: 'Who runs the DNS and the mail of a domain, and what its SPF and DMARC say already',
  access: 'see-domains',
  reads: ['domains'],
  params: domainId,
  output: dnsSetting,
  errors: ['NOT_EXISTS'],
})

export const getZoneFile = route({
  method: 'GET',
  path: '/domains/{id}/zone-file',
  summary: 'The records to publish as a BIND master file',
  access: 'see-domains',
  reads: ['domains'],
  params: domainId,
  output: z.string(),
  errors: ['NOT_EXISTS'],
  contentType: 'text/plain',
})

const said = z.object({
  state: recordState,
  /** At most five, each at most 500 characters. */
  values: z.array(z.string()),
})

/**
 * How the records of a domain changed.
 * One definite answer of DNS that differed from the one before.
 */
export const recordChange = z.object({
  _id: fields.id,
  purpose: recordPurpose,
  at: z.iso.datetime(),
  from: said,
  to: said,
})
export type RecordChange = z.infer<typeof recordChange>

export const listRecordChanges = route({
  method: 'GET',
  path: '/dns-records/history/{id}',
  summary: 'How the records of a domain changed, newest first; the last fifty times of each',
  access: 'see-domains',
  reads: ['domains'],
  params: z.object({ id: z.string() }),
  query: z.strictObject({ ...fields.page, purpose: recordPurpose.optional() }),
  output: z.object({ items: z.array(recordChange), nextCursor: z.string().nullable() }),
  errors: ['NOT_EXISTS'],
})
