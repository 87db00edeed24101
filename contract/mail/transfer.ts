/** Export and import of mail as mbox files. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** A file is uploaded in pieces of this size; only the last may be smaller. */
export const IMPORT_PIECE_BYTES = 4_000_000
/** Larger messages are reported as failed. */
export const MAX_IMPORTED_BYTES = 50_000_000
export const MAX_IMPORT_FAULTS = 100

export const NO_MBOX =
  'This is not an mbox file. Choose a file whose name ends in .mbox or .eml; unpack a zip file first'

export const mailExport = z.object({
  _id: fields.id,
  state: z
    .enum(['ready', 'running', 'done', 'failed'])
    .describe('ready: its download has not begun.'),
  total: z.number().int(),
  written: z.number().int(),
})
export type MailExport = z.infer<typeof mailExport>

export const mailImport = z.object({
  _id: fields.id,
  filename: z.string(),
  fingerprint: z
    .string()
    .describe('Facts about the file: an upload resumes only with the same file.'),
  state: z
    .enum(['uploading', 'running', 'done', 'stopped', 'cancelled'])
    .describe('uploading; running; done; stopped, and `reason` says why; cancelled.'),
  reason: z.string(),
  size: z.number().int(),
  received: z.number().int(),
  read: z.number().int(),
  filed: z.number().int().describe('Numbers of messages: filed, already present, and failed.'),
  skipped: z.number().int(),
  failed: z.number().int(),
  faults: z
    .array(z.object({ n: z.number().int(), subject: z.string(), reason: z.string() }))
    .describe('The first failed messages.'),
  createdAt: z.iso.datetime(),
})
export type MailImport = z.infer<typeof mailImport>

/** A role or the id of a folder. */
const folder = fields.line(100).optional()

export const mailExportForm = z.strictObject({ folder })
export const mailImportForm = z.strictObject({
  filename: fields.line(255).min(1, 'Please choose a file'),
  fingerprint: fields.line(200),
  size: z
    .int()
    .min(1, 'This file is empty')
    .max(1_000_000_000_000, 'This file is too large')
    .describe('Bytes.'),
  folder: folder.describe('Absent: the folder named in the file, otherwise Archive.'),
})

const byId = z.object({ id: z.string() })
const oneImport = byId.extend({ importId: z.string() })

export const makeExport = route({
  name: 'makeExport',
  method: 'POST',
  path: '/mailboxes/{id}/exports',
  summary: 'A link, good once and for a minute, to a mailbox or one of its folders as mbox',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: byId,
  body: mailExportForm,
  output: mailExport.extend({ token: z.string() }),
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const getExport = route({
  name: 'getExport',
  method: 'GET',
  path: '/mailboxes/{id}/exports/{exportId}',
  summary: 'How far a download is',
  access: 'open-mailboxes',
  reads: ['transfers'],
  params: byId.extend({ exportId: z.string() }),
  output: mailExport,
  errors: ['NOT_EXISTS'],
})

/** The browser downloads the file itself, whatever its size, so the link authenticates and no header does. */
export const downloadExport = route({
  name: 'downloadExport',
  method: 'GET',
  path: '/mail-exports/{token}',
  summary: 'The messages as mbox (RFC 4155, mboxrd)',
  access: 'anyone',
  reads: ['transfers'],
  params: z.object({ token: z.string() }),
  output: z.string(),
  contentType: 'application/octet-stream',
  errors: ['NOT_EXISTS'],
})

export const listImports = route({
  name: 'listImports',
  method: 'GET',
  path: '/mailboxes/{id}/imports',
  summary: 'The latest imports into a mailbox, newest first',
  access: 'open-mailboxes',
  reads: ['transfers'],
  params: byId,
  output: z.array(mailImport),
  errors: ['NOT_EXISTS'],
})

export const startImport = route({
  name: 'startImport',
  method: 'POST',
  path: '/mailboxes/{id}/imports',
  summary: 'Begin to upload an mbox file, or go on with the same one',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: byId,
  body: mailImportForm,
  output: mailImport,
  errors: ['NOT_EXISTS', 'STORAGE_FULL', 'IMPORT_OPEN'],
  status: 201,
})

export const uploadPiece = route({
  name: 'uploadPiece',
  method: 'PUT',
  path: '/mailboxes/{id}/imports/{importId}/pieces/{start}',
  summary:
    'The bytes of the file from `start` on, as application/octet-stream. Answers where to go on, also when they were sent before',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: oneImport.extend({ start: z.string() }),
  output: mailImport,
  errors: ['NOT_EXISTS'],
  takesBytes: true,
  bodyLimitBytes: IMPORT_PIECE_BYTES,
})

export const resumeImport = route({
  name: 'resumeImport',
  method: 'POST',
  path: '/mailboxes/{id}/imports/{importId}/resume',
  summary: 'Go on with an import that stopped',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: oneImport,
  output: mailImport,
  errors: ['NOT_EXISTS'],
})

export const cancelImport = route({
  name: 'cancelImport',
  method: 'DELETE',
  path: '/mailboxes/{id}/imports/{importId}',
  summary: 'End an import; what is filed stays',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: oneImport,
  output: mailImport,
  errors: ['NOT_EXISTS'],
})
