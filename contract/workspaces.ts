/** Workspaces: the tenants. The workspace of a request is the header X-Workspace-Id, or the user's current one. */
import { z } from 'zod'
import * as fields from './fields.ts'
import { role } from './rights.ts'
import { route } from './route.ts'

export { WORKSPACE_HEADER } from './route.ts'

export const workspace = z.object({
  _id: fields.id,
  name: z.string(),
  /** The caller's role in it. */
  role,
  isCurrent: z.boolean(),
})
export type Workspace = z.infer<typeof workspace>

export const listWorkspaces = route({
  method: 'GET',
  path: '/workspaces',
  summary: "The user's workspaces",
  access: 'signed-in',
  output: z.array(workspace),
  errors: [],
})
