/** The accounts of an installation, as its operators see them. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { role } from '../rights.ts'
import { route } from '../route.ts'
import { operatorAction } from './actions.ts'
import { listed, pagesOf } from './paged-list.ts'

/** By name, by the last sign-in, or by their age. */
export const accountOrder = z.enum(['created', 'person', 'seen'])
export type AccountOrder = z.infer<typeof accountOrder>

export const accountWorkspace = z.object({ _id: fields.id, name: z.string(), role })

export const operatedAccount = z.object({
  _id: fields.id,
  name: z.string(),
  email: z.string(),
  createdAt: z.iso.datetime(),
  verifiedAt: z.iso.datetime().nullable().describe('null: the address is not proven yet.'),
  lastLoginAt: z.iso.datetime().nullable(),
  isHolder: z.boolean().describe('Signs in to one mailbox, and is no member.'),
  isOperator: z.boolean(),
  workspaces: z.array(accountWorkspace),
})
export type OperatedAccount = z.infer<typeof operatedAccount>

export const listOperatedAccounts = route({
  name: 'listOperatedAccounts',
  method: 'GET',
  path: '/operator/accounts',
  summary: 'All accounts',
  access: 'operator',
  reads: ['operating'],
  query: z.object(listed(accountOrder, 'created')),
  output: pagesOf(operatedAccount),
  errors: [],
})

const byId = z.object({ id: z.string() })

export const operatedAccountDetails = operatedAccount.extend({
  sessions: z.number().int().describe('Browsers that are signed in.'),
  mailboxes: z
    .array(z.object({ _id: fields.id, email: z.string(), isHolder: z.boolean() }))
    .describe('That the person reads, at most a hundred.'),
  actions: z
    .array(operatorAction)
    .describe('What operators did to the account, and what its owner did as one.'),
})
export type OperatedAccountDetails = z.infer<typeof operatedAccountDetails>

export const getOperatedAccount = route({
  name: 'getOperatedAccount',
  method: 'GET',
  path: '/operator/accounts/{id}',
  summary: 'An account, by its id or its address',
  access: 'operator',
  reads: ['operating'],
  params: byId,
  output: operatedAccountDetails,
  errors: ['NOT_EXISTS'],
})

export const makeResetLink = route({
  name: 'makeResetLink',
  method: 'POST',
  path: '/operator/accounts/{id}/reset-link',
  summary: 'A link that sets a new password, for a person whom no mail reaches',
  access: 'operator',
  changes: ['operating'],
  params: byId,
  output: z.object({ link: z.string(), expiresAt: z.iso.datetime() }),
  errors: ['NOT_EXISTS', 'STATUS_NOT_ALLOWED'],
})

export const endSessionsOf = route({
  name: 'endSessionsOf',
  method: 'POST',
  path: '/operator/accounts/{id}/end-sessions',
  summary: 'Sign a person out everywhere',
  access: 'operator',
  changes: ['operating'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const makeAdmin = route({
  name: 'makeAdmin',
  method: 'POST',
  path: '/operator/workspaces/{id}/admins',
  summary: 'Make an account an Admin of a workspace, when its last Admin has gone',
  access: 'operator',
  changes: ['operating'],
  params: byId,
  body: z.strictObject({ email: fields.emailAddress }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
