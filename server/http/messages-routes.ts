import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '#contract/errors.ts'
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
import { changeMessage, deleteMessage } from '#server/features/messages/change-message.ts'
import {
  getAttachment,
  getMessage,
  getRawMessage,
} from '#server/features/messages/reading/get-message.ts'
import { listFolders } from '#server/features/messages/reading/list-folders.ts'
import { listMessages } from '#server/features/messages/reading/list-messages.ts'
import { sendMessage } from '#server/features/messages/sending/send-message.ts'
import { attachmentDisposition } from '#server/standards/content-disposition.ts'
import { serve, serveBytes } from './serve.ts'

export const registerMessagesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listFoldersRoute, ({ params }, who) => listFolders(app, who, params.id))
  serve(server, app, listMessagesRoute, ({ params, query }, who) =>
    listMessages(app, who, params.id, query),
  )
  serve(server, app, getMessageRoute, ({ params }, who) =>
    getMessage(app, who, params.id, params.messageId),
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
  serveBytes(server, app, getRawMessageRoute, async ({ params }, who, reply) =>
    sendFile(reply, {
      filename: 'message.eml',
      contentType: 'message/rfc822',
      content: await getRawMessage(app, who, params.id, params.messageId),
    }),
  )
  serveBytes(server, app, getAttachmentRoute, async ({ params }, who, reply) => {
    if (!/^\d{1,4}$/.test(params.n)) throw new AppError('NOT_EXISTS')
    const { id, messageId, n } = params
    return sendFile(reply, await getAttachment(app, who, id, messageId, Number(n)))
  })
}

type StoredFile = { filename: string; contentType: string; content: Buffer }

/** Bytes that a stranger wrote: saved, never shown, and without rights should a browser show them all the same. */
const sendFile = (reply: FastifyReply, file: StoredFile): FastifyReply =>
  reply
    .header('content-type', harmlessType(file.contentType))
    .header('content-disposition', attachmentDisposition(file.filename))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .send(file.content)

/** What a browser might run is named as plain bytes. */
const harmlessType = (type: string): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) && !/html|xml|script|svg|pdf|multipart/i.test(type)
    ? type
    : 'application/octet-stream'
