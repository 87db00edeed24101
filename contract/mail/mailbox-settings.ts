/** Settings of a mailbox, for its readers and for managers of mailboxes, and the storage that its mail takes. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { folderRole } from '../messages.ts'
import { route } from '../route.ts'

export const MAX_DISPLAY_NAME = 100

export const mailboxSettings = z.object({
  /** Display name in From; '': first and last name. */
  displayName: z.string(),
  signature: z.string(),
  /** Whether the caller may change them, and the vacation reply: they speak for the mailbox (decision 057). */
  canChange: z.boolean(),
})
export type MailboxSettings = z.infer<typeof mailboxSettings>

export const mailboxSettingsForm = z.strictObject({
  displayName: fields.line(MAX_DISPLAY_NAME).trim().optional(),
  signature: fields.signature.optional(),
})

export const storage = z.object({
  /** Used by this mailbox. */
  usedBytes: z.number().int(),
  /** Used by all mailboxes of the workspace. */
  workspaceBytes: z.number().int(),
  quotaBytes: z.number().int(),
  /** Largest first. */
  folders: z.array(
    z.object({
      _id: fields.id,
      role: folderRole.nullable(),
      name: z.string(),
      bytes: z.number().int(),
      messages: z.number().int(),
    }),
  ),
})
export type Storage = z.infer<typeof storage>

const params = z.object({ id: z.string() })

export const getMailboxSettings = route({
  method: 'GET',
  path: '/mailboxes/{id}/settings',
  summary: 'The name in From and the signature of a mailbox',
  access: 'open-mailboxes',
  reads: ['settings'],
  params,
  output: mailboxSettings,
  errors: ['NOT_EXISTS'],
})

export const changeMailboxSettings = route({
  method: 'PATCH',
  path: '/mailboxes/{id}/settings',
  summary:
    'Change the name in From or the signature; for readers, and members who manage mailboxes',
  access: 'open-mailboxes',
  changes: ['settings', 'mailboxes'],
  params,
  body: mailboxSettingsForm,
  output: mailboxSettings,
  errors: ['NOT_EXISTS'],
  bodyLimitBytes: 2_000_000,
})

export const getStorage = route({
  method: 'GET',
  path: '/mailboxes/{id}/storage',
  summary: 'How much room the mail of a mailbox takes, by folder, and that of its workspace',
  access: 'open-mailboxes',
  reads: ['messages'],
  params,
  output: storage,
  errors: ['NOT_EXISTS'],
})
