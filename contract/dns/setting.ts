/** The present DNS of a domain: its DNS provider, its mail host, and the SPF and DMARC records to keep. */
import { z } from 'zod'
import { recordPurpose, recordState } from '../domains.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** How the editor of a DNS provider expects records. Facts about the provider, not about the domain. */
export const dnsProvider = z.object({
  name: z.string(),
  hostLabel: z.string().describe("The label of its field for the host name: 'Name', 'Host' ..."),
  appendsDomain: z
    .boolean()
    .describe('true: the editor appends the zone to the name, so relative names are entered.'),
  apexHost: z.enum(['@', '']).describe("The name to enter for the zone itself: '@' or ''."),
  longestTxt: z
    .number()
    .int()
    .nullable()
    .describe(
      'Longest TXT value that its field accepts, in characters; null when no limit is published.',
    ),
  longValues: z
    .enum(['whole', 'strings'])
    .describe("How to enter a TXT value above 255 bytes: 'whole', or as quoted 'strings'."),
  url: z
    .url()
    .describe('The page where records of this zone are edited, or the nearest page to it.'),
  hint: z.string().describe('The most common mistake there, in one or two sentences.'),
})
export type DnsProvider = z.infer<typeof dnsProvider>

export const presentMail = z.object({
  hosts: z
    .array(z.object({ host: z.string(), priority: z.number().int() }))
    .describe('Lowest preference first. A null MX is left out.'),
  service: z
    .string()
    .nullable()
    .describe(
      "Such as 'Google Workspace'; null when there is no MX host, or none that we recognise.",
    ),
  elsewhere: z
    .string()
    .nullable()
    .describe('The other service that receives mail, or its first host; null when there is none.'),
  isOurs: z.boolean().describe('This installation is the first MX.'),
  hasNullMx: z.boolean().describe('A null MX: the domain accepts no mail (RFC 7505).'),
})

export const presentSpf = z.object({
  found: z.array(z.string()).describe('Every SPF record of the domain.'),
  services: z.array(z.string()).describe('The services that they authorise, in words.'),
  leftOut: z
    .array(z.string())
    .describe(
      'Services among them that the proposed record leaves out, because a broken term would make receivers ignore the whole record.',
    ),
  merged: z
    .string()
    .describe('The one record that we propose; it keeps the services that were found.'),
  added: z.string().describe('The terms of it that are ours.'),
})

export const presentDmarc = z.object({
  found: z
    .array(z.string())
    .describe(
      'The DMARC record at the domain itself, valid or not; otherwise the one inherited from a parent.',
    ),
  policy: z.enum(['none', 'quarantine', 'reject']).nullable().describe('null: no policy applies.'),
  at: z
    .string()
    .nullable()
    .describe('The name where `policy` was found; null when no policy applies.'),
  isKept: z.boolean().describe('A policy applies and is kept.'),
})

export const dnsSetting = z.object({
  zone: z
    .string()
    .nullable()
    .describe(
      "The zone of the domain; null when not known. A provider's editor expects names relative to it.",
    ),
  nameServers: z.array(z.string()),
  provider: dnsProvider.nullable().describe('null for an unknown DNS provider.'),
  mail: presentMail.nullable().describe('null: DNS has not answered yet.'),
  spf: presentSpf.nullable(),
  dmarc: presentDmarc.nullable(),
  receiving: z
    .object({ changes: z.array(z.string()) })
    .describe(
      'What moving the MX records here would change, and for which mailboxes, in sentences; empty when nothing would.',
    ),
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
  name: 'getDnsSetting',
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
  name: 'getZoneFile',
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

export const recordSeen = z.object({
  state: recordState,
  values: z.array(z.string()).describe('At most five, each at most 500 characters.'),
})

/**
 * A change in the records of a domain: one definite DNS answer that differed from the previous one.
 */
export const recordChange = z.object({
  _id: fields.id,
  purpose: recordPurpose,
  at: z.iso.datetime(),
  from: recordSeen,
  to: recordSeen,
})
export type RecordChange = z.infer<typeof recordChange>

export const listRecordChanges = route({
  name: 'listRecordChanges',
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
