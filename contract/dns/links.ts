/**
 * A link for the administrator of a domain's DNS: it opens the records of that domain, and nothing else, without an account.
 * The token is in the fragment of the URL and in request bodies, so that no log and no Referer header contains it.
 */
import { z } from 'zod'
import { dnsRecord } from '../domains.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { dnsSetting } from './setting.ts'

export const LINK_DAYS = [1, 7, 30] as const
export const DEFAULT_LINK_DAYS = 7
/** Per domain. */
export const MAX_OPEN_LINKS = 20
/** Least time between two mails of a link to the same address. */
export const LINK_MAIL_COOLDOWN_SECONDS = 30
/** Average time between two checks that the holder of a link may ask for. */
export const LINK_CHECK_SECONDS = 15

/** A link that can still be opened. */
export const dnsLink = z.object({
  _id: fields.id,
  url: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Name of the member; null when that account is gone. */
  createdBy: z.string().nullable(),
  /** When it was last open, to the minute; null: never. */
  openedAt: z.iso.datetime().nullable(),
  /** The address that it was last mailed to. */
  sentTo: z.string().nullable(),
})
export type DnsLink = z.infer<typeof dnsLink>

export const dnsLinkForm = z.strictObject({ days: z.literal(LINK_DAYS) })
export const dnsLinkMailForm = z.strictObject({ email: fields.emailAddress })

const byId = z.object({ id: z.string() })
const byToken = z.strictObject({ token: fields.linkToken })

export const listDnsLinks = route({
  method: 'GET',
  path: '/domains/{id}/dns-links',
  summary: 'The links to the records of a domain that still open, newest first',
  access: 'manage-domains',
  reads: ['dns-links'],
  params: byId,
  output: z.array(dnsLink),
  errors: ['NOT_EXISTS'],
})

export const makeDnsLink = route({
  method: 'POST',
  path: '/domains/{id}/dns-links',
  summary: 'Make a link to the records of a domain, for a reader without an account',
  access: 'manage-domains',
  changes: ['dns-links'],
  params: byId,
  body: dnsLinkForm,
  output: dnsLink,
  errors: ['NOT_EXISTS', 'DNS_LINK_LIMIT', 'TRIAL'],
  status: 201,
})

export const mailDnsLink = route({
  method: 'POST',
  path: '/dns-links/{id}/mail',
  summary: 'Mail a link to the administrator of the DNS',
  access: 'manage-domains',
  changes: ['dns-links'],
  params: byId,
  body: dnsLinkMailForm,
  output: dnsLink,
  errors: ['NOT_EXISTS'],
})

export const revokeDnsLink = route({
  method: 'DELETE',
  path: '/dns-links/{id}',
  summary: 'Revoke a link: it no longer works',
  access: 'manage-domains',
  changes: ['dns-links'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

/** Everything that a link shows. */
export const openedDnsLink = z.object({
  workspaceName: z.string(),
  domain: z.object({
    /** A-labels. */
    name: z.string(),
    unicodeName: z.string(),
  }),
  expiresAt: z.iso.datetime(),
  ownership: dnsRecord,
  records: z.array(dnsRecord),
  /** Without the consequences of moving mail: they would name mailboxes. */
  setting: dnsSetting,
})
export type OpenedDnsLink = z.infer<typeof openedDnsLink>

export const openDnsLink = route({
  method: 'POST',
  path: '/dns-links/open',
  summary:
    'The records of the domain that a link is for; wrong, expired and revoked links answer alike',
  access: 'anyone',
  changes: ['dns-links'],
  body: byToken,
  output: openedDnsLink,
  errors: ['NOT_EXISTS', 'TRIAL'],
})

export const checkDnsLink = route({
  method: 'POST',
  path: '/dns-links/check',
  summary: 'Look every record up now; answers when the results are stored',
  access: 'anyone',
  changes: ['domains'],
  body: byToken,
  output: openedDnsLink,
  errors: ['NOT_EXISTS', 'TRIAL'],
})

export const getZoneFileByLink = route({
  method: 'POST',
  path: '/dns-links/zone-file',
  summary: 'The records to publish as a BIND master file',
  access: 'anyone',
  changes: [],
  body: byToken,
  output: z.string(),
  errors: ['NOT_EXISTS', 'TRIAL'],
  contentType: 'text/plain',
})
