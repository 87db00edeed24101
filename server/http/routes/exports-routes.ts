import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/mail/workspace-exports.ts'
import type { App } from '#server/app.ts'
import {
  askForExport,
  linkToExport,
  listExports,
  openExportFile,
  removeExport,
} from '#server/features/exports/ask-export.ts'
import { serve, serveBytes } from '../exchange/serve.ts'
import { sendFile } from '../pages/web-files.ts'

export const registerExportsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listWorkspaceExports, (_input, who) => listExports(app, who))
  serve(server, app, routes.askWorkspaceExport, ({ body }, who) => askForExport(app, who, body))
  serve(server, app, routes.removeWorkspaceExport, async ({ params }, who) => {
    await removeExport(app, who, params.id)
    return { message: 'Deleted' }
  })
  serve(server, app, routes.linkToWorkspaceExport, ({ params }, who) =>
    linkToExport(app, who, params.id),
  )
  serveBytes(server, app, routes.downloadWorkspaceExport, async ({ params }, _who, reply) => {
    const file = await openExportFile(app, params.token)
    return sendFile(reply, { ...file, contentType: 'application/zip' })
  })
}
