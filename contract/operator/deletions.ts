/** What an operator deletes: a whole workspace. */
import { z } from 'zod'
import { deletion, WAIT_DAYS } from '../deletions.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const operatedDeletion = deletion.extend({
  openInvoices: z.number().int().describe('They stay due.'),
  deletedUntil: z.iso
    .datetime()
    .nullable()
    .describe('When an earlier deletion ends; null: there is none.'),
})
export type OperatedDeletion = z.infer<typeof operatedDeletion>

export const deletionReceipt = z.object({
  _id: fields.id.describe('That of the record of the act.'),
  name: z.string(),
  at: z.iso.datetime(),
  endsAt: z.iso.datetime().describe('From here on nothing can be taken back.'),
  lines: z.array(z.string()).describe('What was deleted, in sentences, as its Admins are mailed.'),
  mailedTo: z.number().int().describe('The Admins who get the receipt.'),
})
export type DeletionReceipt = z.infer<typeof deletionReceipt>

const byId = z.object({ id: z.string() })

export const previewOperatedDeletion = route({
  name: 'previewOperatedDeletion',
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
  name: 'deleteOperatedWorkspace',
  method: 'POST',
  path: '/operator/workspaces/{id}/deletion',
  summary: `Delete a workspace: it ends after ${WAIT_DAYS} days, or at once. Its Admins are mailed a receipt`,
  access: 'operator',
  changes: ['operating', 'workspaces'],
  params: byId,
  body: z.strictObject({
    name: fields.line(200).describe('As typed: the name of the workspace.'),
    isNow: z.boolean().describe('Nothing can be taken back then.'),
  }),
  output: deletionReceipt,
  errors: ['NOT_EXISTS', 'WORKSPACE_DELETED', 'STATUS_NOT_ALLOWED'],
})
