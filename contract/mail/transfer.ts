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
  /** ready: its download has not begun. */
  state: z.enum(['ready', 'running', 'done', 'failed']),
  total: z.number().int(),
  written: z.number().int(),
})
export type MailExport = z.infer<typeof mailExport>

export const mailImport = z.object({
  _id: fields.id,
  filename: z.string(),
  /** Facts about the file: an upload resumes only with the same file. */
  fingerprint: z.string(),
  /** uploading; running; done; stopped, and `reason` says why; cancelled. */
  state: z.enum(['uploading', 'running', 'done', 'stopped', 'cancelled']),
  reason: z.string(),
  size: z.number().int(),
  received: z.number().int(),
  read: z.number().int(),
  /** Numbers of messages: filed, already present, and failed. */
  filed: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  /** The first failed messages. */
  faults: z.array(z.object({ n: z.number().int(), subject: z.string(), reason: z.string() })),
  createdAt: z.iso.datetime(),
})
export type MailImport = z.infer<typeof mailImport>

/** A role or the id of a folder. */
const folder = fields.line(100).optional()

export const exportForm = z.strictObject({ folder })
export const importForm = z.strictObject({
  filename: fields.line(255).min(1, 'Please choose a file'),
  fingerprint: fields.line(200),
  /** Bytes. */
  size: z.int().min(1, 'This file is empty').max(1_000_000_000_000, 'This file is too large'),
  /** Absent: the folder named in the file, otherwise Archive. */
  folder,
})

const byId = z.object({ id: z.string() })
const oneImport = byId.extend({ importId: z.string() })

export const makeExport = route({
  method: 'POST',
  path: '/mailboxes/{id}/exports',
  summary: 'A link, good once and for a minute, to a mailbox or one of its folders as mbox',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: byId,
  body: exportForm,
  output: mailExport.extend({ token: z.string() }),
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const getExport = route({
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
  method: 'POST',
  path: '/mailboxes/{id}/imports',
  summary: 'Begin to upload an mbox file, or go on with the same one',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: byId,
  body: importForm,
  output: mailImport,
  errors: ['NOT_EXISTS', 'STORAGE_FULL', 'IMPORT_OPEN'],
  status: 201,
})

export const uploadPiece = route({
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
  method: 'DELETE',
  path: '/mailboxes/{id}/imports/{importId}',
  summary: 'End an import; what is filed stays',
  access: 'open-mailboxes',
  changes: ['transfers'],
  params: oneImport,
  output: mailImport,
  errors: ['NOT_EXISTS'],
})
