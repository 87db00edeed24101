import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { getJourney as getJourneyRoute } from '#contract/journey.ts'
import {
  getSending as getSendingRoute,
  listSendingStops,
  resumeSending as resumeSendingRoute,
} from '#contract/mail/sending.ts'
import {
  changeMessage as changeMessageRoute,
  deleteMessage as deleteMessageRoute,
  getAttachment as getAttachmentRoute,
  getMessage as getMessageRoute,
  getRawMessage as getRawMessageRoute,
  listFolders as listFoldersRoute,
  listMessages as listMessagesRoute,
  sendMessage as sendMessageRoute,
} from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { getSending, getSendingStops } from '#server/features/messages/brakes/get-sending.ts'
import { resumeSending } from '#server/features/messages/brakes/resume-sending.ts'
import { changeMessage, deleteMessage } from '#server/features/messages/change-message.ts'
import { getJourney } from '#server/features/messages/journey/get-journey.ts'
import {
  getAttachment,
  getMessage,
  getRawMessage,
} from '#server/features/messages/reading/get-message.ts'
import { listFolders } from '#server/features/messages/reading/list-folders.ts'
import { listMessages } from '#server/features/messages/reading/list-messages.ts'
import { sendMessage } from '#server/features/messages/sending/send-message.ts'
import { sendFile } from './exchange/send-file.ts'
import { serve, serveKept } from './serve.ts'

export const registerMessagesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listFoldersRoute, ({ params }, who) => listFolders(app, who, params.id))
  serve(server, app, listMessagesRoute, ({ params, query }, who) =>
    listMessages(app, who, params.id, query),
  )
  serve(server, app, getMessageRoute, ({ params }, who) =>
    getMessage(app, who, params.id, params.messageId),
  )
  serve(server, app, getJourneyRoute, ({ params }, who) =>
    getJourney(app, who, params.id, params.messageId),
  )
  serve(server, app, changeMessageRoute, ({ params, body }, who) =>
    changeMessage(app, who, params.id, params.messageId, body),
  )
  serve(server, app, deleteMessageRoute, ({ params }, who) =>
    deleteMessage(app, who, params.id, params.messageId),
  )
  serve(server, app, sendMessageRoute, ({ params, body }, who) =>
    sendMessage(app, who, params.id, body),
  )
  serve(server, app, getSendingRoute, ({ params }, who) => getSending(app, who, params.id))
  serve(server, app, resumeSendingRoute, ({ params }, who) => resumeSending(app, who, params.id))
  serve(server, app, listSendingStops, (_input, who) => getSendingStops(app, who))
  serveKept(server, app, getRawMessageRoute, 'in pieces', async ({ params }, who, reply) =>
    sendFile(reply, {
      filename: 'message.eml',
      contentType: 'message/rfc822',
      content: await getRawMessage(app, who, params.id, params.messageId),
    }),
  )
  serveKept(server, app, getAttachmentRoute, 'whole', async ({ params }, who, reply) => {
    if (!/^\d{1,4}$/.test(params.n)) throw new AppError('NOT_EXISTS')
    const { id, messageId, n } = params
    return sendFile(reply, await getAttachment(app, who, id, messageId, Number(n)))
  })
}
