/** Domains and their DNS records; the calls /domains and dns-records of the specification. */
import { z } from 'zod'
import * as fields from './fields.ts'
import { route } from './route.ts'

export const recordState = z.enum(['waiting', 'verified', 'different', 'conflict', 'unknown'])
export type RecordState = z.infer<typeof recordState>

/** Every domain has a record of each of these kinds. */
export const basicPurposes = ['ownership', 'spf', 'dkim', 'dmarc', 'mx'] as const
/** What a domain may publish besides: made when first asked for, and no part of what counts. */
export const optionalPurposes = [
  'dkim-ed25519',
  'srv-imaps',
  'srv-submissions',
  'srv-imap',
  'srv-submission',
  'autoconfig',
  'autodiscover',
  'pacc',
  'pacc-digest',
  'mta-sts-host',
  'mta-sts',
  'tls-rpt',
] as const
export type OptionalPurpose = (typeof optionalPurposes)[number]
export const recordPurpose = z.enum([...basicPurposes, ...optionalPurposes])
export type RecordPurpose = z.infer<typeof recordPurpose>

/** What people call each kind, where there is room for one word. */
export const recordTitles: Record<RecordPurpose, string> = {
  ownership: 'Ownership',
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mx: 'MX',
  'dkim-ed25519': 'Second DKIM key',
  'srv-imaps': 'IMAP',
  'srv-submissions': 'Sending',
  'srv-imap': 'IMAP, STARTTLS',
  'srv-submission': 'Sending, STARTTLS',
  autoconfig: 'Autoconfig',
  autodiscover: 'Autodiscover',
  pacc: 'PACC',
  'pacc-digest': 'PACC digest',
  'mta-sts-host': 'MTA-STS host',
  'mta-sts': 'MTA-STS',
  'tls-rpt': 'TLS reports',
}

type Explained = { purpose: RecordPurpose; explanation: string }

/** What is wrong with these records: a sentence that several of them have stands there once, with their number and names. */
export const sentencesOf = (records: readonly Explained[]): { title: string; text: string }[] => {
  const titles = new Map<string, string[]>()
  for (const { purpose, explanation } of records)
    titles.set(explanation, [...(titles.get(explanation) ?? []), recordTitles[purpose]])
  return [...titles].map(([text, of]) => ({
    title: of.length === 1 ? of.join() : `${of.length} records (${of.join(', ')})`,
    text,
  }))
}

/** One server's answer for a record at the last check. */
export const sighting = z.object({
  server: z.string().describe('The name of a name server, or the address of a resolver.'),
  state: recordState,
  values: z.array(z.string()),
  reason: z.string().describe('Why there is no answer; empty otherwise.'),
  latencyMs: z.number().int(),
  ttlSeconds: z
    .number()
    .int()
    .describe(
      'How long the answer may stay the same: for a resolver, the seconds left in its cache.',
    ),
})
export type Sighting = z.infer<typeof sighting>

/** The answer differs from the expected value. */
export const isWrong = ({ state }: Sighting): boolean => state !== 'verified' && state !== 'unknown'

/** Published: at each name server of the zone. Visible: through each resolver. */
export const sightings = z.object({
  zone: z.string().nullable(),
  published: z.array(sighting),
  visible: z.array(sighting),
})
export type Sightings = z.infer<typeof sightings>

/** One DNS record that the domain needs: the expected value and the values found. */
export const dnsRecord = z.object({
  name: z.string().describe('Absolute host name without a trailing dot.'),
  value: z.string().describe('The value to publish.'),
  ttl: z.number().int().describe('In seconds.'),
  isVerified: z
    .boolean()
    .nullable()
    .describe('true: Verified; false: Pending; null: found, but wrong (Failed).'),
  type: z.enum(['TXT', 'MX', 'CNAME', 'SRV']),
  priority: z.number().int().nullable().describe('MX preference; null for other types.'),
  purpose: recordPurpose,
  required: z.boolean(),
  state: recordState,
  found: z.array(z.string()).describe('The values in DNS at the last definite answer.'),
  explanation: z.string().describe('What is wrong, in one sentence; empty when nothing is.'),
  fix: z
    .string()
    .describe('How to correct it, in one sentence; empty when there is nothing to do.'),
  checkedAt: z.iso.datetime().nullable(),
  nextCheckAt: z.iso.datetime().nullable(),
  changedAt: z.iso
    .datetime()
    .nullable()
    .describe('When its state last changed; null when it never has.'),
  verifiedAt: z.iso.datetime().nullable().describe('When it was last right; null: never.'),
  uncheckedSince: z.iso
    .datetime()
    .nullable()
    .describe(
      'Since when checks repeatedly got no definite answer, so that `state` is an older one; null: it is the last answer.',
    ),
  sightings: sightings.nullable().describe('null: never looked up.'),
})
export type DnsRecord = z.infer<typeof dnsRecord>

export const recordStatus = (isVerified: boolean | null): 'Verified' | 'Pending' | 'Failed' =>
  isVerified === true ? 'Verified' : isVerified === false ? 'Pending' : 'Failed'

/** `different` and `conflict` are definite and wrong; the others leave the record pending. */
export const isVerifiedIn = (state: RecordState): boolean | null =>
  state === 'verified' ? true : state === 'different' || state === 'conflict' ? null : false

export const domain = z.object({
  _id: fields.id,
  name: z.string().describe('In A-labels, as DNS has it: xn--….'),
  unicodeName: z.string().describe('In Unicode, for people.'),
  isVerified: z.boolean().describe('true: its ownership is proven.'),
  status: z
    .enum(['active', 'inactive'])
    .describe('Active: ownership and every required record are verified.'),
  requiredRecords: z.number().int(),
  verifiedRecords: z.number().int(),
  dnsStatus: z.enum(['Verified', 'Pending', 'Failed']),
  needsWork: z
    .boolean()
    .describe(
      'A record that it needs is not right or could not be checked: a required one, or MX when it has mailboxes (decision 078).',
    ),
  uncheckedSince: z.iso
    .datetime()
    .nullable()
    .describe(
      'Since when such records could not be checked: `dnsStatus` is that of the last answers. null: they could be.',
    ),
  mailboxes: z.number().int(),
  catchAll: z
    .object({ mailboxId: fields.id, email: z.string() })
    .nullable()
    .describe(
      'The mailbox that receives mail for unknown addresses of the domain; null: such mail is refused.',
    ),
  createdAt: z.iso.datetime(),
})
export type Domain = z.infer<typeof domain>

/** Rules of state: the server checks them before it acts, and the screens before they offer an action. */
export const domainCan = {
  takeMailboxes: (d: Pick<Domain, 'isVerified' | 'status'>) =>
    d.isVerified && d.status === 'active',
}

const domainId = z.object({ id: z.string() })

export const addDomainForm = z.strictObject({ name: fields.domainName })

export const addDomain = route({
  name: 'addDomain',
  method: 'POST',
  path: '/domains',
  summary: 'Add a domain to the workspace',
  description:
    'The first step of a new customer. Then publish the record of `getOwnershipRecord` and ask `verifyOwnership`; publish those of `listDnsRecords` and ask `verifyDns`. When all required records are verified the domain is `active` and takes mailboxes.',
  access: 'manage-domains',
  changes: ['domains'],
  body: addDomainForm,
  output: domain,
  errors: ['DOMAIN_EXISTS'],
  status: 201,
})

export const listDomains = route({
  name: 'listDomains',
  method: 'GET',
  path: '/domains',
  summary: 'The domains of the workspace, newest first',
  access: 'see-domains',
  reads: ['domains', 'mailboxes'],
  output: z.array(domain),
  errors: [],
})

export const getDomain = route({
  name: 'getDomain',
  method: 'GET',
  path: '/domains/{id}',
  summary: 'One domain',
  access: 'see-domains',
  reads: ['domains', 'mailboxes'],
  params: domainId,
  output: domain,
  errors: ['NOT_EXISTS'],
})

export const deleteDomain = route({
  name: 'deleteDomain',
  method: 'DELETE',
  path: '/domains/{id}',
  summary:
    'Delete a domain with its mailboxes, their mail and its keys; one that was proven can be restored for 14 days',
  access: 'delete-domains',
  changes: ['domains', 'mailboxes'],
  params: domainId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'STATUS_NOT_ALLOWED'],
})

export const getOwnershipRecord = route({
  name: 'getOwnershipRecord',
  method: 'GET',
  path: '/dns-records/ownership/{id}',
  summary: 'The TXT record that proves ownership',
  access: 'see-domains',
  reads: ['domains'],
  params: domainId,
  output: dnsRecord,
  errors: ['NOT_EXISTS'],
})

export const listDnsRecords = route({
  name: 'listDnsRecords',
  method: 'GET',
  path: '/dns-records/dns/{id}',
  summary: 'The records to publish',
  description:
    'Each has the value to publish, the values that DNS has now, what is wrong with them and how to correct it.',
  access: 'see-domains',
  reads: ['domains'],
  params: domainId,
  output: z.array(dnsRecord),
  errors: ['NOT_EXISTS', 'TRIAL'],
})

export const listOptionalRecords = route({
  name: 'listOptionalRecords',
  method: 'GET',
  path: '/domains/{id}/optional-records',
  summary:
    'Records that a domain may publish besides: a second DKIM key, those of mail programs, MTA-STS and TLS reports',
  access: 'see-domains',
  reads: ['domains'],
  params: domainId,
  output: z.array(dnsRecord),
  errors: ['NOT_EXISTS', 'TRIAL'],
})

export const verifyOwnership = route({
  name: 'verifyOwnership',
  method: 'POST',
  path: '/dns-records/verify-ownership/{id}',
  summary: 'Look the ownership record up now; answers when the result is stored',
  description:
    'Answers within ten seconds. `isVerified` is true when the TXT record was found. Records are looked up by themselves as well, and a change is announced.',
  access: 'manage-domains',
  changes: ['domains'],
  notAudited: 'A check changes nothing by itself; what it finds is recorded',
  asksForRecentSignIn: false,
  params: domainId,
  output: dnsRecord,
  errors: ['NOT_EXISTS', 'DOMAIN_HELD'],
})

export const verifyDns = route({
  name: 'verifyDns',
  method: 'POST',
  path: '/dns-records/verify-dns/{id}',
  summary: 'Look every record up now; answers when the results are stored',
  description:
    'Answers within ten seconds with every record. Records are looked up by themselves as well, and a change is announced.',
  access: 'manage-domains',
  changes: ['domains'],
  notAudited: 'A check changes nothing by itself; what it finds is recorded',
  asksForRecentSignIn: false,
  params: domainId,
  output: z.array(dnsRecord),
  errors: ['NOT_EXISTS', 'DOMAIN_NOT_VERIFIED', 'TRIAL'],
})
