/**
 * A link for the administrator of DNS: it opens the records of one domain or of several, and nothing else, without an account.
 * The token is in the fragment of the URL and in request bodies, so that no log and no Referer header contains it.
 */
import { z } from 'zod'
import { dnsRecord } from '../domains.ts'
import * as fields from '../fields.ts'
import { domainHealth } from '../many-domains.ts'
import { route } from '../route.ts'
import { dnsSetting } from './setting.ts'

export const LINK_DAYS = [1, 7, 30] as const
export const DEFAULT_LINK_DAYS = 7
/** Per domain. */
export const MAX_OPEN_LINKS = 20
/** Domains of one link (decision 067). */
export const MAX_LINKED_DOMAINS = 100
/** Least time between two mails of a link to the same address. */
export const LINK_MAIL_COOLDOWN_SECONDS = 30
/** Average time between two checks that the holder of a link may ask for. */
export const LINK_CHECK_SECONDS = 15

/** A link that can still be opened. */
export const dnsLink = z.object({
  _id: fields.id,
  url: z.string(),
  domains: z
    .array(z.string())
    .describe('The names of the domains that it opens, as Unicode, in the order of the page.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  createdBy: z.string().nullable().describe('Name of the member; null when that account is gone.'),
  openedAt: z.iso
    .datetime()
    .nullable()
    .describe('When it was last open, to the minute; null: never.'),
  sentTo: z.string().nullable().describe('The address that it was last mailed to.'),
})
export type DnsLink = z.infer<typeof dnsLink>

export const dnsLinkForm = z.strictObject({ days: z.literal(LINK_DAYS) })
export const manyDnsLinkForm = dnsLinkForm.extend({
  ids: z
    .array(fields.id, 'Please select at least one domain')
    .min(1, 'Please select at least one domain')
    .max(MAX_LINKED_DOMAINS, `A link opens at most ${MAX_LINKED_DOMAINS} domains`),
})
export const dnsLinkMailForm = z.strictObject({ email: fields.emailAddress })

const byId = z.object({ id: z.string() })
const byToken = z.strictObject({ token: fields.linkToken })
/** `domain`: which one, where the link opens several; by name, since a reader of the link learns no id. */
export const linkToOneDomain = byToken.extend({ domain: fields.line(255).optional() })

export const listDnsLinks = route({
  name: 'listDnsLinks',
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
  name: 'makeDnsLink',
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

export const listManyDnsLinks = route({
  name: 'listManyDnsLinks',
  method: 'GET',
  path: '/dns-links',
  summary: 'The links to several domains that still open, newest first, at most a hundred',
  access: 'manage-domains',
  reads: ['dns-links'],
  output: z.array(dnsLink),
  errors: [],
})

export const makeManyDnsLink = route({
  name: 'makeManyDnsLink',
  method: 'POST',
  path: '/dns-links',
  summary: 'Make one link to the records of several domains, for a reader without an account',
  access: 'manage-domains',
  changes: ['dns-links'],
  body: manyDnsLinkForm,
  output: dnsLink,
  errors: ['NOT_EXISTS', 'DNS_LINK_LIMIT'],
  status: 201,
})

export const mailDnsLink = route({
  name: 'mailDnsLink',
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
  name: 'revokeDnsLink',
  method: 'DELETE',
  path: '/dns-links/{id}',
  summary: 'Revoke a link: it no longer works',
  access: 'manage-domains',
  changes: ['dns-links'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

/** What a link shows of one domain. */
export const openedDnsLink = z.object({
  workspaceName: z.string(),
  domain: z.object({
    name: z.string().describe('In A-labels, as DNS has it: xn--….'),
    unicodeName: z.string(),
  }),
  expiresAt: z.iso.datetime(),
  ownership: dnsRecord,
  records: z.array(dnsRecord),
  setting: dnsSetting.describe(
    'Without the consequences of moving mail: they would name mailboxes.',
  ),
})
export type OpenedDnsLink = z.infer<typeof openedDnsLink>

export const openDnsLink = route({
  name: 'openDnsLink',
  method: 'POST',
  path: '/dns-links/open',
  summary:
    'The records of a domain that a link is for; wrong, expired and revoked links answer alike',
  access: 'anyone',
  changes: ['dns-links'],
  body: linkToOneDomain,
  notAudited: 'It is opened to read',
  output: openedDnsLink,
  errors: ['NOT_EXISTS'],
})

/** What a link shows of all of its domains: the first page of a link to several. */
export const openedDnsLinks = z.object({
  workspaceName: z.string(),
  expiresAt: z.iso.datetime(),
  domains: z
    .array(
      openedDnsLink.shape.domain.extend({
        ...domainHealth.pick({ records: true, provider: true, checkedAt: true }).shape,
      }),
    )
    .describe('By name.'),
})
export type OpenedDnsLinks = z.infer<typeof openedDnsLinks>

export const openManyDnsLink = route({
  name: 'openManyDnsLink',
  method: 'POST',
  path: '/dns-links/domains',
  summary: 'Every domain that a link is for, with the states of its records',
  access: 'anyone',
  changes: ['dns-links'],
  notAudited: 'It is opened to read',
  body: byToken,
  output: openedDnsLinks,
  errors: ['NOT_EXISTS', 'TRIAL'],
})

export const checkDnsLink = route({
  name: 'checkDnsLink',
  method: 'POST',
  path: '/dns-links/check',
  summary: 'Look every record up now; answers when the results are stored',
  access: 'anyone',
  changes: ['domains'],
  body: linkToOneDomain,
  notAudited: 'A check changes nothing by itself; what it finds is recorded',
  output: openedDnsLink,
  errors: ['NOT_EXISTS', 'TRIAL'],
})

export const getZoneFileByLink = route({
  name: 'getZoneFileByLink',
  method: 'POST',
  path: '/dns-links/zone-file',
  summary:
    'The records to publish as a BIND master file; without a name, of all domains of the link',
  access: 'anyone',
  changes: [],
  body: linkToOneDomain,
  output: z.string(),
  errors: ['NOT_EXISTS', 'TRIAL'],
  contentType: 'text/plain',
})
