import type { FastifyInstance } from 'fastify'
import { listWorkspaces } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { workspacesOf } from '#server/features/workspaces/workspaces-of.ts'
import { serve } from './serve.ts'

export const registerWorkspacesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listWorkspaces, (_input, who) => workspacesOf(app, who))
}
