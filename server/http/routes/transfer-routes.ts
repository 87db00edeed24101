import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import * as routes from '#contract/mail/transfer.ts'
import type { App } from '#server/app.ts'
import { cancelImport, listImports, resumeImport } from '#server/features/transfer/edit-imports.ts'
import { getExport, makeExport, openExport } from '#server/features/transfer/export-mail.ts'
import { startImport, uploadPiece } from '#server/features/transfer/upload-import.ts'
import { bytesOf } from '../exchange/read-body.ts'
import { serve, serveBytes } from '../exchange/serve.ts'
import { sendFile } from '../pages/web-files.ts'

export const registerTransferRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.makeExport, ({ params, body }, who) =>
    makeExport(app, who, params.id, body),
  )
  serve(server, app, routes.getExport, ({ params }, who) =>
    getExport(app, who, params.id, params.exportId),
  )
  serveBytes(server, app, routes.downloadExport, async ({ params }, _who, reply) => {
    const { filename, content } = await openExport(app, params.token)
    const contentType = 'application/mbox'
    return sendFile(reply, { filename, contentType, content: Readable.from(content) })
  })
  serve(server, app, routes.listImports, ({ params }, who) => listImports(app, who, params.id))
  serve(server, app, routes.startImport, ({ params, body }, who) =>
    startImport(app, who, params.id, body),
  )
  serve(server, app, routes.uploadPiece, ({ params }, who, request) => {
    if (!/^\d{1,15}$/.test(params.start)) throw new AppError('NOT_EXISTS')
    const { id, importId, start } = params
    return uploadPiece(app, who, id, { importId, start: Number(start), bytes: bytesOf(request) })
  })
  serve(server, app, routes.resumeImport, ({ params }, who) =>
    resumeImport(app, who, params.id, params.importId),
  )
  serve(server, app, routes.cancelImport, ({ params }, who) =>
    cancelImport(app, who, params.id, params.importId),
  )
}
