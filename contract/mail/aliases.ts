/** Further addresses of a mailbox, and the catch-all of a domain: the mailbox that receives mail for unknown addresses. */
import { z } from 'zod'
import { domain } from '../domains.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** Per mailbox. */
export const MAX_ALIASES = 50

export const alias = z.object({
  _id: fields.id,
  email: z.string(),
  createdAt: z.iso.datetime(),
})
export type Alias = z.infer<typeof alias>

/** On any active domain of the workspace. */
export const aliasForm = z.strictObject({ email: fields.mailboxEmail })

export const catchAllForm = z.strictObject({
  mailboxId: fields.line(100).min(1, 'Please choose a mailbox'),
})

const byId = z.object({ id: z.string() })

export const listAliases = route({
  name: 'listAliases',
  method: 'GET',
  path: '/mailboxes/{id}/aliases',
  summary: 'The aliases of a mailbox, oldest first',
  access: 'manage-mailboxes',
  reads: ['addresses'],
  params: byId,
  output: z.array(alias),
  errors: ['NOT_EXISTS'],
})

export const addAlias = route({
  name: 'addAlias',
  method: 'POST',
  path: '/mailboxes/{id}/aliases',
  summary: 'Add another address, whose mail lands in this mailbox and which it may send as',
  access: 'manage-mailboxes',
  changes: ['addresses', 'mailboxes'],
  params: byId,
  body: aliasForm,
  output: alias,
  errors: ['NOT_EXISTS', 'MAILBOX_EXISTS', 'ADDRESS_TAKEN', 'ALIAS_LIMIT', 'DOMAIN_NOT_ACTIVE'],
  status: 201,
})

export const removeAlias = route({
  name: 'removeAlias',
  method: 'DELETE',
  path: '/mailboxes/{id}/aliases/{aliasId}',
  summary: 'Remove an alias: mail to it is refused from then on',
  access: 'manage-mailboxes',
  changes: ['addresses', 'mailboxes'],
  params: byId.extend({ aliasId: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const listAddresses = route({
  name: 'listAddresses',
  method: 'GET',
  path: '/mailboxes/{id}/addresses',
  summary: 'What a mailbox may send as: its own address, then its aliases. For those who read it',
  access: 'open-mailboxes',
  reads: ['addresses'],
  params: byId,
  output: z.array(z.string()),
  errors: ['NOT_EXISTS'],
})

export const setCatchAll = route({
  name: 'setCatchAll',
  method: 'PUT',
  path: '/domains/{id}/catch-all',
  summary: 'Choose the mailbox that gets what is for no mailbox, alias or role of the domain',
  access: 'manage-domains',
  changes: ['domains', 'addresses'],
  params: byId,
  body: catchAllForm,
  output: domain,
  errors: ['NOT_EXISTS', 'DOMAIN_NOT_VERIFIED'],
})

export const removeCatchAll = route({
  name: 'removeCatchAll',
  method: 'DELETE',
  path: '/domains/{id}/catch-all',
  summary: 'End the catch-all: mail for unknown addresses is refused again',
  access: 'manage-domains',
  changes: ['domains', 'addresses'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
