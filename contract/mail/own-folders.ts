/** The user's own folders. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { folder } from '../messages.ts'
import { route } from '../route.ts'

export const MAX_OWN_FOLDERS = 200
export const FOLDER_EXISTS = 'There is already a folder with this name'
export const TOO_MANY_FOLDERS = `A mailbox has at most ${MAX_OWN_FOLDERS} folders of its own`
const NO_NAME = 'Please enter a name'

/** Between a folder and those inside it, as in IMAP (decision 074): 'Clients/Ada'. */
export const SLASH = '/'
export const MAX_FOLDER_DEPTH = 5
export const TOO_DEEP = `Folders are at most ${MAX_FOLDER_DEPTH} deep`
export const ONLY_IN_OWN = 'Only a folder of your own can have folders inside'

/** Spaces around a slash are dropped. */
export const folderName = z
  .string(NO_NAME)
  .trim()
  .min(1, NO_NAME)
  .transform((name) =>
    name
      .split(SLASH)
      .map((part) => part.trim())
      .join(SLASH),
  )
  .pipe(fields.line(300))
  .refine((name) => !name.includes('\\'), 'A name cannot contain a backslash')
  .refine(
    (name) => name.split(SLASH).every((part) => part !== '' && part.length <= 60),
    'Each name has 1 to 60 characters, with a single slash between them',
  )
  .refine((name) => name.split(SLASH).length <= MAX_FOLDER_DEPTH, TOO_DEEP)

/** 'Clients/Ada' is inside 'Clients'. */
export const isInside = (name: string, outer: string): boolean =>
  name.toLowerCase().startsWith(`${outer.toLowerCase()}${SLASH}`)

export const folderForm = z.strictObject({ name: folderName })
const one = z.object({ id: z.string(), folderId: z.string() })

export const createFolder = route({
  name: 'createFolder',
  method: 'POST',
  path: '/mailboxes/{id}/folders',
  summary: 'Make a folder of one’s own, with those that it is inside: Clients/Ada',
  access: 'open-mailboxes',
  changes: ['messages'],
  params: z.object({ id: z.string() }),
  body: folderForm,
  output: folder,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const renameFolder = route({
  name: 'renameFolder',
  method: 'PATCH',
  path: '/mailboxes/{id}/folders/{folderId}',
  summary: 'Rename or move a folder of one’s own, with those inside it',
  access: 'open-mailboxes',
  changes: ['messages'],
  params: one,
  body: folderForm,
  output: folder,
  errors: ['NOT_EXISTS'],
})

export const deleteFolder = route({
  name: 'deleteFolder',
  method: 'DELETE',
  path: '/mailboxes/{id}/folders/{folderId}',
  summary: 'Delete a folder of one’s own with those inside it; their messages go to Trash',
  access: 'open-mailboxes',
  changes: ['messages'],
  params: one,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
