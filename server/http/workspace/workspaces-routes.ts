import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { createWorkspace } from '#server/features/workspaces/create-workspace.ts'
import { renameWorkspace } from '#server/features/workspaces/rename-workspace.ts'
import { switchWorkspace } from '#server/features/workspaces/switch-workspace.ts'
import { workspacesOf } from '#server/features/workspaces/workspaces-of.ts'
import { serve } from '../serve.ts'

export const registerWorkspacesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listWorkspaces, (_input, who) => workspacesOf(app, who))
  serve(server, app, routes.createWorkspace, ({ body }, who) => createWorkspace(app, who, body))
  serve(server, app, routes.renameWorkspace, ({ params, body }, who) =>
    renameWorkspace(app, who, params.id, body),
  )
  serve(server, app, routes.switchWorkspace, ({ params }, who) =>
    switchWorkspace(app, who, params.id),
  )
}
