import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/deletions.ts'
import type { App } from '#server/app.ts'
import { deleteWorkspace } from '#server/features/deletions/delete-workspace.ts'
import { endDeleted } from '#server/features/deletions/end-deleted.ts'
import {
  previewDomain,
  previewMailbox,
  previewWorkspace,
} from '#server/features/deletions/preview-deletion.ts'
import { getDeleted, listDeleted, restoreDeleted } from '#server/features/deletions/restore.ts'
import { serve } from '../exchange/serve.ts'

export const registerDeletionsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.previewDomainDeletion, ({ params }, who) =>
    previewDomain(app, who, params.id),
  )
  serve(server, app, routes.previewMailboxDeletion, ({ params }, who) =>
    previewMailbox(app, who, params.id),
  )
  serve(server, app, routes.previewWorkspaceDeletion, ({ params }, who) =>
    previewWorkspace(app, who, params.id),
  )
  serve(server, app, routes.deleteWorkspace, ({ params, body }, who) =>
    deleteWorkspace(app, who, params.id, body),
  )
  serve(server, app, routes.listDeleted, ({ query }, who) => listDeleted(app, who, query))
  serve(server, app, routes.getDeleted, ({ params }, who) => getDeleted(app, who, params.id))
  serve(server, app, routes.restoreDeleted, async ({ params }, who) => ({
    message: `${await restoreDeleted(app, who, params.id)} is back`,
  }))
  serve(server, app, routes.endDeleted, async ({ params, body }, who) => ({
    message: `${await endDeleted(app, who, params.id, body.name)} has ended`,
  }))
}
