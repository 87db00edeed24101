/**
 * Workspaces: the tenants, their members, and moving a domain from one to another. The workspace of a
 * request is the header X-Workspace-Id, or the user's current one.
 */
import { z } from 'zod'
import { currency } from './billing.ts'
import { domain } from './domains.ts'
import * as fields from './fields.ts'
import { role } from './rights.ts'
import { route } from './route.ts'

export { WORKSPACE_HEADER } from './route.ts'

export const namedWorkspace = z.object({ _id: fields.id, name: z.string() })

export const workspace = z.object({
  _id: fields.id,
  name: z.string(),
  role: role.describe("The caller's role in it."),
  isCurrent: z.boolean().describe('true: the workspace of this request.'),
  endsAt: z.iso.datetime().nullable().describe('When a deleted workspace ends; null: not deleted.'),
  suspendedFor: z
    .string()
    .nullable()
    .describe('The reason why an operator suspended its sending; null: it sends.'),
  factorDueAt: z.iso
    .datetime()
    .nullable()
    .describe(
      'The caller needs a second factor there from then on, and has none; null: nothing to do.',
    ),
})
export type Workspace = z.infer<typeof workspace>

export const workspaceForm = z.strictObject({ name: fields.workspaceName })

const byId = z.object({ id: z.string() })

export const listWorkspaces = route({
  name: 'listWorkspaces',
  method: 'GET',
  path: '/workspaces',
  summary: "The user's workspaces",
  access: 'signed-in',
  reads: ['workspaces'],
  output: z.array(workspace),
  errors: [],
})

export const createWorkspace = route({
  name: 'createWorkspace',
  method: 'POST',
  path: '/workspaces',
  summary: 'Create a workspace with the caller as its Admin; it becomes their current one',
  access: 'signed-in',
  changes: ['workspaces'],
  notAudited: 'The feature records it, since the workspace is known only then',
  body: workspaceForm,
  output: workspace,
  errors: [],
  status: 201,
})

export const renameWorkspace = route({
  name: 'renameWorkspace',
  method: 'PATCH',
  path: '/workspaces/{id}',
  summary: 'Rename a workspace',
  access: 'signed-in',
  changes: ['workspaces'],
  params: byId,
  body: workspaceForm,
  output: workspace,
  errors: ['NOT_EXISTS'],
})

export const switchWorkspace = route({
  name: 'switchWorkspace',
  method: 'POST',
  path: '/workspaces/{id}/switch',
  summary: 'Make a workspace the current one of the caller, also for their next session',
  access: 'signed-in',
  changes: ['session'],
  params: byId,
  output: workspace,
  errors: ['NOT_EXISTS'],
})

export const leaveWorkspace = route({
  name: 'leaveWorkspace',
  method: 'POST',
  path: '/workspaces/{id}/leave',
  summary: 'Leave a workspace; what the caller gave or could read there ends',
  access: 'signed-in',
  changes: ['members', 'workspaces'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'LAST_ADMIN'],
})

export const member = z.object({
  _id: fields.id.describe('Id of the user.'),
  name: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  role,
  lastLoginAt: z.iso.datetime().nullable(),
  isYou: z.boolean(),
})
export type Member = z.infer<typeof member>

export const listMembers = route({
  name: 'listMembers',
  method: 'GET',
  path: '/members',
  summary: 'Who is in the workspace, and when they last logged in',
  access: 'manage-members',
  reads: ['members'],
  output: z.array(member),
  errors: [],
})

export const changeRole = route({
  name: 'changeRole',
  method: 'PATCH',
  path: '/members/{id}',
  summary: 'Change the role of a member',
  access: 'manage-members',
  changes: ['members', 'workspaces'],
  params: byId,
  body: z.strictObject({ role }),
  output: member,
  errors: ['NOT_EXISTS', 'LAST_ADMIN'],
})

export const removeMember = route({
  name: 'removeMember',
  method: 'DELETE',
  path: '/members/{id}',
  summary: 'Remove a member from the workspace, with their right to read its mail',
  access: 'manage-members',
  changes: ['members', 'workspaces'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'LAST_ADMIN'],
})

/** What 'Add to workspace' moves, and to which workspaces. */
export const domainMove = z.object({
  mailboxes: z.number().int(),
  messages: z.number().int(),
  size: z.number().int().describe('Size of those messages in bytes.'),
  endingAddresses: z
    .number()
    .int()
    .describe(
      'Aliases and catch-alls that end, because they connect this domain to mailboxes of other domains here.',
    ),
  holders: z
    .number()
    .int()
    .describe('Holders of these mailboxes, who can no longer sign in after the move.'),
  dueInvoices: z
    .number()
    .int()
    .describe(
      'Unpaid invoices that include these mailboxes, and what they ask for them in the currency of the newest.',
    ),
  dueCents: z.number().int(),
  dueCurrency: currency,
  workspaces: z.array(namedWorkspace).describe('Other workspaces of which the caller is Admin.'),
})
export type DomainMove = z.infer<typeof domainMove>

export const previewMove = route({
  name: 'previewMove',
  method: 'GET',
  path: '/domains/{id}/move',
  summary: 'What moves with a domain, and to which workspaces it can move',
  access: 'move-domains',
  reads: ['domains', 'mailboxes', 'invoices', 'workspaces'],
  params: byId,
  output: domainMove,
  errors: ['NOT_EXISTS'],
})

export const moveDomain = route({
  name: 'moveDomain',
  method: 'POST',
  path: '/domains/{id}/move',
  summary: 'Move a domain with its mailboxes, their mail and open bills to another workspace',
  access: 'move-domains',
  changes: ['domains', 'mailboxes', 'invoices'],
  params: byId,
  body: z.strictObject({ workspaceId: z.string('Please choose a workspace').max(100) }),
  output: domain,
  errors: [
    ...(['NOT_EXISTS', 'DOMAIN_EXISTS', 'STORAGE_FULL'] as const),
    ...(['WORKSPACE_DELETED', 'STATUS_NOT_ALLOWED'] as const),
  ],
})

export const companyForm = z.strictObject({
  name: fields.companyName,
  vatId: fields.vatId.default(''),
  website: fields.website.default(''),
  phone: fields.phone,
  address: fields.companyAddress,
  zipCode: fields.zipCode,
  country: fields.country,
  city: fields.city,
  timeZone: fields.timeZone,
  timeFormat: fields.timeFormat,
})

/** Who stands on the invoices: the part of the profile that a payment asks for. */
export const buyerForm = companyForm.pick({
  ...{ name: true, vatId: true, address: true, zipCode: true, country: true, city: true },
})
export type BuyerForm = z.input<typeof buyerForm>

const text = z.string()

/**
 * The company profile of a workspace, kept by its Admins. Every field is empty until the form is first saved.
 */
export const company = z.object({
  name: text,
  vatId: text.describe("Of its invoices; '' without one."),
  website: text,
  phone: text,
  address: text,
  zipCode: text,
  country: text,
  city: text,
  timeZone: text,
  timeFormat: text,
})
export type Company = z.infer<typeof company>

export const getCompany = route({
  name: 'getCompany',
  method: 'GET',
  path: '/company',
  summary: 'The company profile of the workspace',
  access: 'manage-company',
  reads: ['company'],
  output: company,
  errors: [],
})

export const saveCompany = route({
  name: 'saveCompany',
  method: 'PUT',
  path: '/company',
  summary: 'Save the company profile',
  access: 'manage-company',
  changes: ['company'],
  body: companyForm,
  output: company,
  errors: [],
})

export const saveBuyer = route({
  name: 'saveBuyer',
  method: 'PUT',
  path: '/company/buyer',
  summary: 'Save who stands on the invoices; the rest of the company profile stays',
  access: 'manage-company',
  changes: ['company'],
  body: buyerForm,
  output: company,
  errors: [],
})
