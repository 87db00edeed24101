import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { moveDomain } from '#server/features/moves/move-domain.ts'
import { previewMove } from '#server/features/moves/preview-move.ts'
import { serve } from '../serve.ts'

export const registerMovesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.previewMove, ({ params }, who) => previewMove(app, who, params.id))
  serve(server, app, routes.moveDomain, ({ params, body }, who) =>
    moveDomain(app, who, params.id, body.workspaceId),
  )
}
