/** The user's own folders. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { folder } from '../messages.ts'
import { route } from '../route.ts'

export const MAX_OWN_FOLDERS = 200
export const FOLDER_EXISTS = 'There is already a folder with this name'
export const TOO_MANY_FOLDERS = `A mailbox has at most ${MAX_OWN_FOLDERS} folders of its own`
const NO_NAME = 'Please enter a name'

export const folderName = z
  .string(NO_NAME)
  .trim()
  .min(1, NO_NAME)
  .pipe(fields.line(60))
  // The hierarchy separator of IMAP.
  .refine((name) => !/[/\\]/.test(name), 'A name cannot contain a slash')

const body = z.strictObject({ name: folderName })
const one = z.object({ id: z.string(), folderId: z.string() })

export const createFolder = route({
  method: 'POST',
  path: '/mailboxes/{id}/folders',
  summary: 'Make a folder of one’s own',
  access: 'open-mailboxes',
  changes: ['messages'],
  params: z.object({ id: z.string() }),
  body,
  output: folder,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const renameFolder = route({
  method: 'PATCH',
  path: '/mailboxes/{id}/folders/{folderId}',
  summary: 'Rename a folder of one’s own',
  access: 'open-mailboxes',
  changes: ['messages'],
  params: one,
  body,
  output: folder,
  errors: ['NOT_EXISTS'],
})

export const deleteFolder = route({
  method: 'DELETE',
  path: '/mailboxes/{id}/folders/{folderId}',
  summary: 'Delete a folder of one’s own; its messages go to Trash',
  access: 'open-mailboxes',
  changes: ['messages'],
  params: one,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
