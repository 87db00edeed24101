/** What is done to many domains by one call; each is judged by itself, and the answer has a row for each. */
import { z } from 'zod'
import { recordPurpose, recordState } from './domains.ts'
import * as fields from './fields.ts'
import { route } from './route.ts'

/** Names in one call. */
export const MAX_ADDED_AT_ONCE = 500
/** Domains or mailboxes in one call. */
export const MAX_AT_ONCE = 1000

export const addedRow = z.object({
  name: z.string().describe('As it was sent; as A-labels where it is a domain.'),
  outcome: z
    .enum(['added', 'exists', 'repeated', 'refused', 'left'])
    .describe(
      'added; exists: the workspace has it already; repeated: an earlier row has the same name; refused: no domain that can be added; left: good, and not added because another row is not.',
    ),
  message: z.string().describe('Why it was not added; empty otherwise.'),
  id: fields.id.nullable().describe('The domain, new or there before; null: none.'),
})
export type AddedRow = z.infer<typeof addedRow>

export const addManyDomains = route({
  name: 'addManyDomains',
  method: 'POST',
  path: '/domains/batch',
  summary: 'Add many domains; answers with a row for each name, in their order',
  access: 'manage-domains',
  changes: ['domains'],
  body: z.strictObject({
    names: z
      .array(fields.line(255), 'Please enter at least one name')
      .min(1, 'Please enter at least one name')
      .max(MAX_ADDED_AT_ONCE, `At most ${MAX_ADDED_AT_ONCE} names at once`),
    mode: z
      .enum(['all', 'good'])
      .describe(
        'all: nothing is added unless every row can be; good: the rows that can be are added.',
      ),
  }),
  output: z.array(addedRow),
  errors: ['DOMAIN_EXISTS'],
})

/** The rows that a call is about. */
export const manyForm = z.strictObject({
  ids: z
    .array(fields.id, 'Please select at least one row')
    .min(1, 'Please select at least one row')
    .max(MAX_AT_ONCE, `At most ${MAX_AT_ONCE} rows at once`),
})

/** What became of one row. */
export const rowResult = z.object({
  id: z.string(),
  isDone: z.boolean(),
  message: z.string().describe('Why it was not done; empty otherwise.'),
})
export type RowResult = z.infer<typeof rowResult>

export const recordHealth = z.object({
  purpose: recordPurpose,
  required: z.boolean(),
  state: recordState,
  explanation: z.string().describe('What is wrong, in one sentence; empty when nothing is.'),
  isToDo: z
    .boolean()
    .describe('The domain needs it, and it is not right or could not be checked (decision 078).'),
  verifiedAt: z.iso.datetime().nullable().describe('When it was last right; null: never.'),
  uncheckedSince: z.iso
    .datetime()
    .nullable()
    .describe(
      'Since when checks repeatedly got no answer, so that `state` is an older one; null: it is the last answer.',
    ),
})

/** What a list of domains says of each besides its state. */
export const domainHealth = z.object({
  _id: fields.id,
  records: z.array(recordHealth).describe('In the order of the page; without optional ones.'),
  mailTo: z
    .string()
    .nullable()
    .describe('Where its mail goes: a service or a host; null: nowhere, or not known yet.'),
  isMailOurs: z.boolean().describe('This installation is the first MX.'),
  provider: z.string().nullable().describe('The DNS provider; null when it is not recognised.'),
  checkedAt: z.iso
    .datetime()
    .nullable()
    .describe('When its records were last looked up; null: never.'),
  changedAt: z.iso
    .datetime()
    .nullable()
    .describe('When the state of one of its records last changed; null: never.'),
})
export type DomainHealth = z.infer<typeof domainHealth>

export const listDomainHealth = route({
  name: 'listDomainHealth',
  method: 'GET',
  path: '/domains/health',
  summary: 'Which record of each domain fails and why, where its mail goes and who runs its DNS',
  access: 'see-domains',
  reads: ['domains'],
  output: z.array(domainHealth),
  errors: [],
})

/** right: all that the domain needs. work: a record is not right. unchecked: no definite answer; what is stored is older. */
export const verifiedRow = rowResult.extend({ outcome: z.enum(['right', 'work', 'unchecked']) })
export type VerifiedRow = z.infer<typeof verifiedRow>

export const verifyManyDomains = route({
  name: 'verifyManyDomains',
  method: 'POST',
  path: '/domains/batch/verify',
  summary: 'Look up the records of many domains now; answers when the results are stored',
  access: 'manage-domains',
  changes: ['domains'],
  notAudited: 'A check changes nothing by itself; what it finds is recorded',
  asksForRecentSignIn: false,
  body: manyForm,
  output: z.array(verifiedRow),
  errors: [],
})

export const deleteManyDomains = route({
  name: 'deleteManyDomains',
  method: 'POST',
  path: '/domains/batch/delete',
  summary: 'Delete many domains with their mailboxes, their mail and their keys',
  access: 'delete-domains',
  changes: ['domains', 'mailboxes'],
  body: manyForm,
  output: z.array(rowResult),
  errors: [],
})

export const moveManyDomains = route({
  name: 'moveManyDomains',
  method: 'POST',
  path: '/domains/batch/move',
  summary: 'Move many domains with everything in them to another workspace of the caller',
  access: 'move-domains',
  changes: ['domains', 'mailboxes', 'messages', 'invoices', 'workspaces'],
  body: manyForm.extend({ workspaceId: fields.id }),
  output: z.array(rowResult),
  errors: ['NOT_EXISTS'],
})

export const exportManyRecords = route({
  name: 'exportManyRecords',
  method: 'POST',
  path: '/domains/batch/records',
  summary: 'The records of many domains in one file: a BIND master file for each, or CSV',
  access: 'see-domains',
  changes: [],
  body: manyForm.extend({
    format: z.enum(['zone', 'csv']),
    separator: z.enum([',', ';']).optional(),
  }),
  output: z.string(),
  errors: ['NOT_EXISTS', 'TRIAL'],
  contentType: 'text/plain',
})
