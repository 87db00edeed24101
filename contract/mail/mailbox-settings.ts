/** Settings of a mailbox, for its readers and for managers of mailboxes, and the storage that its mail takes. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { folderRole } from '../messages.ts'
import { route } from '../route.ts'

export const MAX_DISPLAY_NAME = 100

export const mailboxSettings = z.object({
  displayName: z.string().describe("Display name in From; '': first and last name."),
  signature: z.string(),
  canChange: z
    .boolean()
    .describe(
      'Whether the caller may change them, and the vacation reply: they speak for the mailbox (decision 057).',
    ),
})
export type MailboxSettings = z.infer<typeof mailboxSettings>

export const mailboxSettingsForm = z.strictObject({
  displayName: fields.line(MAX_DISPLAY_NAME).trim().optional(),
  signature: fields.signature.optional(),
})

export const storage = z.object({
  usedBytes: z.number().int().describe('Used by this mailbox.'),
  workspaceBytes: z.number().int().describe('Used by all mailboxes of the workspace.'),
  quotaBytes: z.number().int(),
  folders: z
    .array(
      z.object({
        _id: fields.id,
        role: folderRole.nullable(),
        name: z.string(),
        bytes: z.number().int(),
        messages: z.number().int(),
      }),
    )
    .describe('Largest first.'),
})
export type Storage = z.infer<typeof storage>

const params = z.object({ id: z.string() })

export const getMailboxSettings = route({
  name: 'getMailboxSettings',
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
  name: 'changeMailboxSettings',
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
  name: 'getStorage',
  method: 'GET',
  path: '/mailboxes/{id}/storage',
  summary: 'How much room the mail of a mailbox takes, by folder, and that of its workspace',
  access: 'open-mailboxes',
  reads: ['messages'],
  params,
  output: storage,
  errors: ['NOT_EXISTS'],
})
