/** Who holds a domain: missing proofs, and claims by a workspace on a domain that another workspace holds. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const claimOutcome = z.enum(['won', 'withdrawn', 'both-proven', 'lapsed', 'overtaken'])
export type ClaimOutcome = z.infer<typeof claimOutcome>

const claimOnDomain = z.object({
  _id: fields.id,
  startedAt: z.iso.datetime(),
  decidesAt: z.iso.datetime().describe('When the claim is decided by who has a proof in DNS.'),
  isHolderProven: z
    .boolean()
    .describe(
      "The holder's record was in DNS at the last check. While it is, the domain stays with the holder.",
    ),
})
/** The claim of another workspace, which is not named, on a domain of this workspace. */
export type ClaimOnDomain = z.infer<typeof claimOnDomain>

const ownClaim = claimOnDomain.extend({
  outcome: claimOutcome.nullable(),
  endedAt: z.iso.datetime().nullable(),
  otherRecord: z
    .string()
    .nullable()
    .describe('The record that keeps the domain here when both proofs are in DNS.'),
})
/** The claim of this workspace on a domain of another workspace. */
export type OwnClaim = z.infer<typeof ownClaim>

const missingProof = z.object({
  since: z.iso.datetime(),
  isSendingStopped: z.boolean(),
  sendingStopsAt: z.iso.datetime(),
  releasesAt: z.iso.datetime(),
})
export type MissingProof = z.infer<typeof missingProof>

export const domainOwnership = z.object({
  domainId: fields.id,
  name: z.string(),
  unicodeName: z.string(),
  mailboxes: z.number().int(),
  record: z
    .object({ name: z.string(), value: z.string() })
    .describe('The TXT record that proves ownership.'),
  missing: missingProof
    .nullable()
    .describe('Set while the record of a domain of this workspace is missing from DNS.'),
  claims: z.array(claimOnDomain),
  ownClaim: ownClaim.nullable().describe('The latest claim.'),
})
export type DomainOwnership = z.infer<typeof domainOwnership>

const releasedDomain = z.object({
  _id: fields.id,
  name: z.string(),
  unicodeName: z.string(),
  reason: z.enum(['proof-missing', 'claimed']),
  mailboxes: z.number().int(),
  releasedAt: z.iso.datetime(),
})
export type ReleasedDomain = z.infer<typeof releasedDomain>

const domainId = z.object({ id: z.string() })

export const listOwnership = route({
  name: 'listOwnership',
  method: 'GET',
  path: '/domain-ownership',
  summary:
    'The domains of the workspace whose ownership is in question, and those that it lost lately',
  access: 'see-domains',
  reads: ['domains', 'mailboxes'],
  output: z.object({
    domains: z.array(domainOwnership),
    released: z
      .array(releasedDomain)
      .describe('Newest first, the last 30 days; without domains that came back.'),
  }),
  errors: [],
})

export const getOwnership = route({
  name: 'getOwnership',
  method: 'GET',
  path: '/domain-ownership/{id}',
  summary: 'What is in question about who holds a domain, and what happens when',
  access: 'see-domains',
  reads: ['domains', 'mailboxes'],
  params: domainId,
  output: domainOwnership,
  errors: ['NOT_EXISTS'],
})

export const withdrawClaim = route({
  name: 'withdrawClaim',
  method: 'POST',
  path: '/domain-ownership/{id}/withdraw',
  summary: 'Withdraw the claim on a domain that another workspace holds',
  access: 'manage-domains',
  changes: ['domains'],
  params: domainId,
  output: domainOwnership,
  errors: ['NOT_EXISTS', 'NO_OPEN_CLAIM'],
})
