/** The present DNS of a domain: its DNS provider, its mail host, and the SPF and DMARC records to keep. */
import { z } from 'zod'
import { recordPurpose, recordState } from '../domains.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** How the editor of a DNS provider expects records. Facts about the provider, not about the domain. */
export const dnsProvider = z.object({
  name: z.string(),
  /** The label of its field for the host name: 'Name', 'Host' ... */
  hostLabel: z.string(),
  /** true: the editor appends the zone to the name, so relative names are entered. */
  appendsDomain: z.boolean(),
  /** The name to enter for the zone itself: '@' or ''. */
  apexHost: z.enum(['@', '']),
  /** Longest TXT value that its field accepts, in characters; null when no limit is published. */
  longestTxt: z.number().int().nullable(),
  /** How to enter a TXT value above 255 bytes: 'whole', or as quoted 'strings'. */
  longValues: z.enum(['whole', 'strings']),
  /** The page where records of this zone are edited, or the nearest page to it. */
  url: z.url(),
  /** The most common mistake there, in one or two sentences. */
  hint: z.string(),
})
export type DnsProvider = z.infer<typeof dnsProvider>

export const presentMail = z.object({
  /** Lowest preference first. A null MX is left out. */
  hosts: z.array(z.object({ host: z.string(), priority: z.number().int() })),
  /** Such as 'Google Workspace'; null when there is no MX host, or none that we recognise. */
  service: z.string().nullable(),
  /** The other service that receives mail, or its first host; null when there is none. */
  elsewhere: z.string().nullable(),
  /** This installation is the first MX. */
  isOurs: z.boolean(),
  /** A null MX: the domain accepts no mail (RFC 7505). */
  hasNullMx: z.boolean(),
})

export const presentSpf = z.object({
  /** Every SPF record of the domain. */
  found: z.array(z.string()),
  /** The services that they authorise, in words. */
  services: z.array(z.string()),
  /** Services among them that the proposed record leaves out, because a broken term would make receivers ignore the whole record. */
  leftOut: z.array(z.string()),
  /** The one record that we propose; it keeps the services that were found. */
  merged: z.string(),
  /** The terms of it that are ours. */
  added: z.string(),
})

export const presentDmarc = z.object({
  /** The DMARC record at the domain itself, valid or not; otherwise the one inherited from a parent. */
  found: z.array(z.string()),
  /** null: no policy applies. */
  policy: z.enum(['none', 'quarantine', 'reject']).nullable(),
  /** The name where `policy` was found; null when no policy applies. */
  at: z.string().nullable(),
  /** A policy applies and is kept. */
  isKept: z.boolean(),
})

export const dnsSetting = z.object({
  /** The zone of the domain; null when not known. A provider's editor expects names relative to it. */
  zone: z.string().nullable(),
  nameServers: z.array(z.string()),
  /** null for an unknown DNS provider. */
  provider: dnsProvider.nullable(),
  /** null: DNS has not answered yet. */
  mail: presentMail.nullable(),
  spf: presentSpf.nullable(),
  dmarc: presentDmarc.nullable(),
  /** What moving the MX records here would change, and for which mailboxes, in sentences; empty when nothing would. */
  receiving: z.object({ changes: z.array(z.string()) }),
  checkedAt: z.iso.datetime().nullable(),
  nextCheckAt: z.iso.datetime().nullable(),
})
export type DnsSetting = z.infer<typeof dnsSetting>

/** The name relative to the zone; absolute when it is outside the zone. */
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
  errors: ['NOT_EXISTS', 'TRIAL'],
  contentType: 'text/plain',
})

const said = z.object({
  state: recordState,
  /** At most five, each at most 500 characters. */
  values: z.array(z.string()),
})

/**
 * A change in the records of a domain: one definite DNS answer that differed from the previous one.
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
