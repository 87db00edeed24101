/** Everything of a workspace as one file, made in the background for an Admin (decision 112). */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** How long the file is kept. */
export const EXPORT_DAYS = 7
/** Of one workspace in a day. */
export const EXPORTS_A_DAY = 5

export const workspaceExport = z.object({
  _id: fields.id,
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  askedBy: z.string().describe('Who asked for it.'),
  createdAt: z.iso.datetime(),
  messages: z.number().int().describe('How many messages there are, and how many are in the file.'),
  written: z.number().int(),
  size: z.number().int().describe('Bytes of the file.'),
  expiresAt: z.iso.datetime().nullable().describe('When the file goes; null: there is none yet.'),
  reason: z.string().describe("Why it failed, a sentence; '' else."),
})
export type WorkspaceExport = z.infer<typeof workspaceExport>

const byId = z.object({ id: z.string() })

export const listWorkspaceExports = route({
  name: 'listWorkspaceExports',
  method: 'GET',
  path: '/workspace-exports',
  summary: 'The archives of this workspace that are made or kept, the newest first',
  access: 'export-workspace',
  reads: ['workspace-exports'],
  output: z.array(workspaceExport),
  errors: [],
})

export const askWorkspaceExport = route({
  name: 'askWorkspaceExport',
  method: 'POST',
  path: '/workspace-exports',
  summary:
    'Make one file of everything in the workspace, also of all mail. It is in the access log of each mailbox, and the other Admins are mailed',
  access: 'export-workspace',
  changes: ['workspace-exports', 'access'],
  body: z.strictObject({
    password: fields.currentPassword.describe('Of the caller.'),
  }),
  output: workspaceExport,
  errors: ['EXPORT_OPEN'],
  status: 201,
})

export const removeWorkspaceExport = route({
  name: 'removeWorkspaceExport',
  method: 'DELETE',
  path: '/workspace-exports/{id}',
  summary: 'Stop an archive that is made, or delete its file',
  access: 'export-workspace',
  changes: ['workspace-exports'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const linkToWorkspaceExport = route({
  name: 'linkToWorkspaceExport',
  method: 'POST',
  path: '/workspace-exports/{id}/link',
  summary:
    'Make a link to the file of everything; good once and for a minute, as long as the caller is an Admin',
  access: 'export-workspace',
  changes: ['workspace-exports'],
  params: byId,
  output: z.object({ token: z.string() }),
  errors: ['NOT_EXISTS'],
  status: 201,
})

/** The browser downloads the file itself, whatever its size, so the link authenticates and no header does. */
export const downloadWorkspaceExport = route({
  name: 'downloadWorkspaceExport',
  method: 'GET',
  path: '/workspace-export-files/{token}',
  summary: 'The file, a zip',
  access: 'anyone',
  reads: ['workspace-exports'],
  params: z.object({ token: z.string() }),
  output: z.string(),
  contentType: 'application/octet-stream',
  errors: ['NOT_EXISTS'],
})
