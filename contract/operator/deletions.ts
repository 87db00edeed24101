/** What an operator deletes: a whole workspace. */
import { z } from 'zod'
import { deletion, WAIT_DAYS } from '../deletions.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const operatedDeletion = deletion.extend({
  /** They stay due. */
  openInvoices: z.number().int(),
  /** When an earlier deletion ends; null: there is none. */
  deletedUntil: z.iso.datetime().nullable(),
})
export type OperatedDeletion = z.infer<typeof operatedDeletion>

export const deletionReceipt = z.object({
  /** That of the record of the act. */
  _id: fields.id,
  name: z.string(),
  at: z.iso.datetime(),
  /** From here on nothing can be taken back. */
  endsAt: z.iso.datetime(),
  /** What was deleted, in sentences, as its Admins are mailed. */
  lines: z.array(z.string()),
  /** The Admins who get the receipt. */
  mailedTo: z.number().int(),
})
export type DeletionReceipt = z.infer<typeof deletionReceipt>

const byId = z.object({ id: z.string() })

export const previewOperatedDeletion = route({
  method: 'GET',
  path: '/operator/workspaces/{id}/deletion',
  summary: 'What ends with a workspace that an operator deletes',
  access: 'operator',
  reads: ['operating'],
  params: byId,
  output: operatedDeletion,
  errors: ['NOT_EXISTS'],
})

export const deleteOperatedWorkspace = route({
  method: 'POST',
  path: '/operator/workspaces/{id}/deletion',
  summary: `Delete a workspace: it ends after ${WAIT_DAYS} days, or at once. Its Admins are mailed a receipt`,
  access: 'operator',
  changes: ['operating', 'workspaces'],
  params: byId,
  body: z.strictObject({
    /** As typed: the name of the workspace. */
    name: fields.line(200),
    /** Nothing can be taken back then. */
    isNow: z.boolean(),
  }),
  output: deletionReceipt,
  errors: ['NOT_EXISTS', 'WORKSPACE_DELETED'],
})
