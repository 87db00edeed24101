/** The workspaces of an installation, as its operators see them: sizes, counts and people, and nothing of any mail. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { operatorAction } from './actions.ts'
import { listed, pagesOf } from './paged-list.ts'

export const workspaceOrder = z.enum([
  ...(['name', 'created', 'mailboxes', 'storage', 'sent', 'bounced'] as const),
])
export type WorkspaceOrder = z.infer<typeof workspaceOrder>

export const operatedWorkspace = z.object({
  _id: fields.id,
  name: z.string(),
  createdAt: z.iso.datetime(),
  endsAt: z.iso.datetime().nullable().describe('When it ends; null: not deleted.'),
  suspendedAt: z.iso.datetime().nullable(),
  suspendedFor: z.string(),
  members: z.number().int(),
  domains: z.number().int(),
  mailboxes: z.number().int(),
  usedBytes: z.number().int(),
  quotaBytes: z.number().int(),
  sent: z.number().int().describe('Recipients outside, in the last 24 hours.'),
  bounced: z.number().int().describe('What other servers refused for good, in the last 24 hours.'),
})
export type OperatedWorkspace = z.infer<typeof operatedWorkspace>

export const listOperatedWorkspaces = route({
  name: 'listOperatedWorkspaces',
  method: 'GET',
  path: '/operator/workspaces',
  summary: 'All workspaces, with their sizes and what they send',
  access: 'operator',
  reads: ['operating'],
  query: z.object({
    /** `q`: in the name, in the name of a domain or in the address of a member. */
    ...listed(workspaceOrder, 'created'),
    only: z.enum(['suspended', 'deleted']).optional(),
  }),
  output: pagesOf(operatedWorkspace),
  errors: [],
})

export const operatedWorkspaceDetails = operatedWorkspace.extend({
  people: z.array(
    z.object({
      userId: fields.id,
      name: z.string(),
      email: z.string(),
      role: z.string(),
      lastLoginAt: z.iso.datetime().nullable(),
    }),
  ),
  domainNames: z.array(
    z.object({
      name: z.string(),
      isVerified: z.boolean(),
      isActive: z.boolean(),
      mailboxes: z.number().int(),
    }),
  ),
  senders: z
    .array(z.object({ email: z.string(), sent: z.number().int(), bounced: z.number().int() }))
    .describe('The mailboxes that sent most in the last 24 hours.'),
  actions: z.array(operatorAction),
})
export type OperatedWorkspaceDetails = z.infer<typeof operatedWorkspaceDetails>

const byId = z.object({ id: z.string() })

export const getOperatedWorkspace = route({
  name: 'getOperatedWorkspace',
  method: 'GET',
  path: '/operator/workspaces/{id}',
  summary: 'A workspace: its people, its domains, who sends, and what operators did',
  access: 'operator',
  reads: ['operating'],
  params: byId,
  output: operatedWorkspaceDetails,
  errors: ['NOT_EXISTS'],
})

export const suspendWorkspace = route({
  name: 'suspendWorkspace',
  method: 'POST',
  path: '/operator/workspaces/{id}/suspend',
  summary: 'Stop its sending; it still receives mail and is read',
  access: 'operator',
  changes: ['operating'],
  params: byId,
  body: z.strictObject({ reason: fields.operatorReason }),
  output: operatedWorkspace,
  errors: ['NOT_EXISTS'],
})

export const resumeWorkspace = route({
  name: 'resumeWorkspace',
  method: 'POST',
  path: '/operator/workspaces/{id}/resume',
  summary: 'Let it send again; what waits is tried at once',
  access: 'operator',
  changes: ['operating'],
  params: byId,
  output: operatedWorkspace,
  errors: ['NOT_EXISTS'],
})

export const setWorkspaceQuota = route({
  name: 'setWorkspaceQuota',
  method: 'PUT',
  path: '/operator/workspaces/{id}/quota',
  summary: 'How much its mailboxes may hold together',
  access: 'operator',
  changes: ['operating'],
  params: byId,
  body: z.strictObject({ quotaBytes: fields.quotaBytes }),
  output: operatedWorkspace,
  errors: ['NOT_EXISTS'],
})
