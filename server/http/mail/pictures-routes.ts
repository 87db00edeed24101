import type { FastifyInstance } from 'fastify'
import {
  addPictureSender as addPictureSenderRoute,
  getPicture as getPictureRoute,
  listPictureSenders as listPictureSendersRoute,
  removePictureSender as removePictureSenderRoute,
} from '#contract/mail/pictures.ts'
import type { App } from '#server/app.ts'
import { getPicture } from '#server/features/messages/pictures/get-picture.ts'
import {
  addPictureSender,
  listPictureSenders,
  removePictureSender,
} from '#server/features/messages/pictures/picture-senders.ts'
import { sendFile } from '../exchange/send-file.ts'
import { serve, serveBytes } from '../serve.ts'

/** So that who reads a message twice within it is not told from who reads it once. */
const KEPT_SECONDS = 600

/** Pictures of mails, fetched by us (decision 026). */
export const registerPicturesRoutes = (server: FastifyInstance, app: App): void => {
  serveBytes(server, app, getPictureRoute, async ({ params, query }, who, reply) => {
    const { id: mailboxId, messageId } = params
    const picture = await getPicture(app, who, { mailboxId, messageId, url: query.url })
    const filename = `picture.${picture.contentType.slice('image/'.length)}`
    return sendFile(reply, { filename, ...picture, keptSeconds: KEPT_SECONDS })
  })
  serve(server, app, listPictureSendersRoute, ({ params }, who) =>
    listPictureSenders(app, who, params.id),
  )
  serve(server, app, addPictureSenderRoute, ({ params, body }, who) =>
    addPictureSender(app, who, params.id, body.messageId),
  )
  serve(server, app, removePictureSenderRoute, ({ params }, who) =>
    removePictureSender(app, who, params.id, params.senderId),
  )
}
