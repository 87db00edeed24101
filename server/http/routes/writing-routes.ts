import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/mail/writing.ts'
import type { App } from '#server/app.ts'
import { suggestRecipients } from '#server/features/sending/contacts.ts'
import { getDraft, saveDraft } from '#server/features/sending/save-draft.ts'
import { sendWriting, undoSend } from '#server/features/sending/send-writing.ts'
import { copyAttachments, removeUpload, uploadFile } from '#server/features/sending/upload-file.ts'
import { fileOf, freeFile } from '../exchange/read-body.ts'
import { serve } from '../exchange/serve.ts'

export const registerWritingRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.saveDraft, ({ params, body }, who) =>
    saveDraft(app, who, params.id, body),
  )
  serve(server, app, routes.getDraft, ({ params }, who) =>
    getDraft(app, who, params.id, params.messageId),
  )
  serve(server, app, routes.uploadFile, async ({ params, body }, who, request) => {
    const content = fileOf(request, body.content)
    const stored = await uploadFile(app, who, params.id, { ...body, content })
    freeFile(request)
    return stored
  })
  serve(server, app, routes.copyAttachments, ({ params, body }, who) =>
    copyAttachments(app, who, params.id, body),
  )
  serve(server, app, routes.removeUpload, ({ params }, who) =>
    removeUpload(app, who, params.id, params.uploadId),
  )
  serve(server, app, routes.sendWriting, ({ params, body }, who) =>
    sendWriting(app, who, params.id, body),
  )
  serve(server, app, routes.undoSend, ({ params, body }, who) =>
    undoSend(app, who, params.id, body),
  )
  serve(server, app, routes.suggestRecipients, ({ params, query }, who) =>
    suggestRecipients(app, who, params.id, query.q),
  )
}
