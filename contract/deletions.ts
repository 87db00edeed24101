/** Deleting waits: what was deleted ends after a while, and can be restored until then (decision 062). */
import { z } from 'zod'
import * as fields from './fields.ts'
import { route } from './route.ts'

/** From deleting until the end. */
export const WAIT_DAYS = 14
/** Of a mailbox that was deleted by itself: as long as its mails can be recovered. */
export const MAILBOX_WAIT_DAYS = 30

/** At the field of a name that was deleted and is typed again. */
export const deletedSentence = (name: string, endsAt: Date): string =>
  `${name} was deleted and ends on ${endsAt.toISOString().slice(0, 10)}. Take it back, or let an Admin end it now`

export const deleted = z.object({
  _id: fields.id,
  kind: z.enum(['workspace', 'domain', 'mailbox']),
  name: z.string().describe('The name of a workspace, a domain in Unicode, an address.'),
  mailboxes: z.number().int().describe('How many end with it; 1 for a mailbox.'),
  endsAt: z.iso.datetime(),
  deletedBy: z.string().describe('Who deleted it.'),
})
export type Deleted = z.infer<typeof deleted>

/** What ends when something is deleted now. */
export const deletion = z.object({
  name: z
    .string()
    .describe('To be typed: the name of a workspace or domain, the address of a mailbox.'),
  domains: z.number().int().describe('Of a workspace.'),
  mailboxes: z.number().int(),
  messages: z.number().int(),
  size: z.number().int().describe('Bytes of those messages.'),
  people: z
    .number()
    .int()
    .describe('Who signs in with these addresses, or was given one of these mailboxes to read.'),
  addresses: z.number().int().describe('Aliases.'),
  links: z.number().int().describe('Open links to set a password.'),
  endsAt: z.iso
    .datetime()
    .nullable()
    .describe('null: nothing is lost, so it ends at once and cannot be restored.'),
  mayDelete: z
    .boolean()
    .describe(
      'false: only an Admin may, who the caller is not. Editors may not delete a mailbox that somebody uses.',
    ),
})
export type Deletion = z.infer<typeof deletion>

const byId = z.object({ id: z.string() })

export const previewDomainDeletion = route({
  name: 'previewDomainDeletion',
  method: 'GET',
  path: '/domains/{id}/deletion',
  summary: 'What ends with a domain that is deleted, and when',
  access: 'see-domains',
  reads: ['domains', 'mailboxes'],
  params: byId,
  output: deletion,
  errors: ['NOT_EXISTS'],
})

export const previewMailboxDeletion = route({
  name: 'previewMailboxDeletion',
  method: 'GET',
  path: '/mailboxes/{id}/deletion',
  summary: 'What ends with a mailbox that is deleted, and when',
  access: 'see-mailboxes',
  reads: ['mailboxes'],
  params: byId,
  output: deletion,
  errors: ['NOT_EXISTS'],
})

export const previewWorkspaceDeletion = route({
  name: 'previewWorkspaceDeletion',
  method: 'GET',
  path: '/workspaces/{id}/deletion',
  summary: 'What ends with a workspace that is deleted, and when',
  access: 'signed-in',
  reads: ['workspaces', 'domains', 'mailboxes'],
  params: byId,
  output: deletion,
  errors: ['NOT_EXISTS'],
})

export const deleteWorkspace = route({
  name: 'deleteWorkspace',
  method: 'POST',
  path: '/workspaces/{id}/deletion',
  summary: 'Delete a workspace: it works on for 14 days, and can be restored until then',
  access: 'signed-in',
  changes: ['workspaces'],
  asksForRecentSignIn: true,
  params: byId,
  body: z.strictObject({
    name: fields.line(200).describe('As typed: the name of the workspace.'),
    password: fields.currentPassword.describe('Of the caller.'),
  }),
  output: deleted,
  errors: ['NOT_EXISTS', 'STATUS_NOT_ALLOWED'],
})

export const listDeleted = route({
  name: 'listDeleted',
  method: 'GET',
  path: '/deleted',
  summary:
    'Deleted domains and mailboxes of the workspace that wait for their end, the last end first',
  access: 'manage-mailboxes',
  reads: ['domains', 'mailboxes'],
  query: z.strictObject({ ...fields.page, kind: z.enum(['domain', 'mailbox']).optional() }),
  output: z.object({ items: z.array(deleted), nextCursor: z.string().nullable() }),
  errors: [],
})

export const getDeleted = route({
  name: 'getDeleted',
  method: 'GET',
  path: '/deleted/{id}',
  summary: 'A deleted domain or mailbox that waits for its end',
  access: 'manage-mailboxes',
  reads: ['domains', 'mailboxes'],
  params: byId,
  output: deleted,
  errors: ['NOT_EXISTS'],
})

export const restoreDeleted = route({
  name: 'restoreDeleted',
  method: 'POST',
  path: '/deleted/{id}/restore',
  summary: 'Take a deleted domain, mailbox or workspace back, as it was',
  access: 'manage-mailboxes',
  changes: ['domains', 'mailboxes', 'workspaces'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS', 'MAILBOX_LIMIT'],
})

export const endDeleted = route({
  name: 'endDeleted',
  method: 'POST',
  path: '/deleted/{id}/end',
  summary: 'End a deleted domain or mailbox now, so that its name is free',
  access: 'end-deleted',
  changes: ['domains', 'mailboxes'],
  params: byId,
  body: z.strictObject({
    name: fields.line(300).describe('As typed: the name of the domain, or the address.'),
  }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
