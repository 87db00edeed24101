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
  /** The name of a workspace, a domain in Unicode, an address. */
  name: z.string(),
  /** How many end with it; 1 for a mailbox. */
  mailboxes: z.number().int(),
  endsAt: z.iso.datetime(),
  /** Who deleted it. */
  deletedBy: z.string(),
})
export type Deleted = z.infer<typeof deleted>

/** What ends when something is deleted now. */
export const deletion = z.object({
  /** To be typed: the name of a workspace or domain, the address of a mailbox. */
  name: z.string(),
  /** Of a workspace. */
  domains: z.number().int(),
  mailboxes: z.number().int(),
  messages: z.number().int(),
  /** Bytes of those messages. */
  size: z.number().int(),
  /** Who signs in with these addresses, or was given one of these mailboxes to read. */
  people: z.number().int(),
  /** Aliases. */
  addresses: z.number().int(),
  /** Open links to set a password. */
  links: z.number().int(),
  /** null: nothing is lost, so it ends at once and cannot be restored. */
  endsAt: z.iso.datetime().nullable(),
  /** false: only an Admin may, who the caller is not. Editors may not delete a mailbox that somebody uses. */
  mayDelete: z.boolean(),
})
export type Deletion = z.infer<typeof deletion>

const byId = z.object({ id: z.string() })

export const previewDomainDeletion = route({
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
  method: 'POST',
  path: '/workspaces/{id}/deletion',
  summary: 'Delete a workspace: it works on for 14 days, and can be restored until then',
  access: 'signed-in',
  changes: ['workspaces'],
  params: byId,
  body: z.strictObject({
    /** As typed: the name of the workspace. */
    name: fields.line(200),
    /** Of the caller. */
    password: fields.currentPassword,
  }),
  output: deleted,
  errors: ['NOT_EXISTS'],
})

export const listDeleted = route({
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
  method: 'POST',
  path: '/deleted/{id}/end',
  summary: 'End a deleted domain or mailbox now, so that its name is free',
  access: 'end-deleted',
  changes: ['domains', 'mailboxes'],
  params: byId,
  body: z.strictObject({
    /** As typed: the name of the domain, or the address. */
    name: fields.line(300),
  }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
