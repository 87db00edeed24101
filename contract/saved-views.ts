/** Views of a list that a member keeps by a name: the search, filters and sorting of its URL. Each is its member's own (decision 075). */
import { z } from 'zod'
import * as fields from './fields.ts'
import { route } from './route.ts'

/** Per member and list. */
export const MAX_SAVED_VIEWS = 20

export const savedView = z.object({
  _id: fields.id,
  list: z.enum(['domains', 'mailboxes']),
  name: z.string(),
  query: z
    .string()
    .describe("As in the URL of the list, without '?'. Pages take from it what they know."),
})
export type SavedView = z.infer<typeof savedView>

export const viewName = z.strictObject({ name: fields.viewName })

const byId = z.object({ id: z.string() })

export const listSavedViews = route({
  name: 'listSavedViews',
  method: 'GET',
  path: '/views',
  summary: 'The saved views of the caller in this workspace, oldest first',
  access: 'see-workspace',
  reads: ['views'],
  output: z.array(savedView),
  errors: [],
})

export const saveView = route({
  name: 'saveView',
  method: 'POST',
  path: '/views',
  summary: 'Save a view; one of the same list and name is replaced',
  access: 'see-workspace',
  changes: ['views'],
  body: viewName.extend({ list: savedView.shape.list, query: fields.line(1000) }),
  output: savedView,
  errors: ['VIEW_LIMIT'],
  status: 201,
})

export const renameView = route({
  name: 'renameView',
  method: 'PATCH',
  path: '/views/{id}',
  summary: 'Rename a saved view',
  access: 'see-workspace',
  changes: ['views'],
  params: byId,
  body: viewName,
  output: savedView,
  errors: ['NOT_EXISTS', 'VIEW_EXISTS'],
})

export const deleteView = route({
  name: 'deleteView',
  method: 'DELETE',
  path: '/views/{id}',
  summary: 'Delete a saved view',
  access: 'see-workspace',
  changes: ['views'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
