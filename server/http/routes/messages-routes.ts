import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import {
  changeMessages as changeMessagesRoute,
  listChanges as listChangesRoute,
  undoChange as undoChangeRoute,
} from '#contract/mail/changes.ts'
import {
  conversationChanges,
  getConversation as getConversationRoute,
  listConversations as listConversationsRoute,
  readAhead as readAheadRoute,
} from '#contract/mail/conversations.ts'
import {
  listDeletedMessages as listDeletedMessagesRoute,
  recoverMessages as recoverMessagesRoute,
} from '#contract/mail/deleted-messages.ts'
import {
  answerInvitation as answerInvitationRoute,
  getInvitationOf,
} from '#contract/mail/event-invitation.ts'
import {
  createFolder as createFolderRoute,
  deleteFolder as deleteFolderRoute,
  renameFolder as renameFolderRoute,
} from '#contract/mail/own-folders.ts'
import {
  addPictureSender as addPictureSenderRoute,
  getPicture as getPictureRoute,
  listPictureSenders as listPictureSendersRoute,
  removePictureSender as removePictureSenderRoute,
} from '#contract/mail/pictures.ts'
import {
  searchConversations as searchConversationsRoute,
  searchMessages as searchMessagesRoute,
} from '#contract/mail/search.ts'
import {
  getJourney as getJourneyRoute,
  getSending as getSendingRoute,
  listSendingStops,
  resumeSending as resumeSendingRoute,
} from '#contract/mail/sending.ts'
import { getUnsubscribe, unsubscribe as unsubscribeRoute } from '#contract/mail/unsubscribe.ts'
import {
  changeMessage as changeMessageRoute,
  deleteMessage as deleteMessageRoute,
  getAttachment as getAttachmentRoute,
  getAttachments as getAttachmentsRoute,
  getMessage as getMessageRoute,
  getRawMessage as getRawMessageRoute,
  listFolders as listFoldersRoute,
  listMessages as listMessagesRoute,
  sendMessage as sendMessageRoute,
} from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { answerInvitation, getInvitation } from '#server/features/calendar/invitations.ts'
import { changesOfList } from '#server/features/messages/change-log/changes-of-list.ts'
import { changesSince } from '#server/features/messages/change-log/changes-since.ts'
import { changeMessage, deleteMessage } from '#server/features/messages/change-message.ts'
import { changeMessages, undoChange } from '#server/features/messages/change-messages.ts'
import { getConversation, listConversations } from '#server/features/messages/conversations.ts'
import {
  getAttachment,
  getMessage,
  getRawMessage,
  zipAttachments,
} from '#server/features/messages/get-message.ts'
import { listFolders } from '#server/features/messages/list-folders.ts'
import { listMessages } from '#server/features/messages/list-messages.ts'
import { createFolder, deleteFolder, renameFolder } from '#server/features/messages/own-folders.ts'
import { readAhead } from '#server/features/messages/read-ahead.ts'
import { listDeletedMessages, recoverMessages } from '#server/features/messages/recover-messages.ts'
import {
  searchConversations,
  searchMessages,
} from '#server/features/messages/search/search-messages.ts'
import {
  addPictureSender,
  getPicture,
  listPictureSenders,
  removePictureSender,
} from '#server/features/pictures/pictures.ts'
import { getSending, getSendingStops } from '#server/features/sending/get-sending.ts'
import { getJourney } from '#server/features/sending/journey.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { resumeSending } from '#server/features/sending/stops/stop-sending.ts'
import { getUnsubscribeOffer, unsubscribe } from '#server/features/unsubscribing/unsubscribe.ts'
import { serve, serveBytes, serveStored } from '../exchange/serve.ts'
import { sendFile } from '../pages/web-files.ts'

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
  serveStored(server, app, getRawMessageRoute, 'in pieces', async ({ params }, who, reply) =>
    sendFile(reply, {
      filename: 'message.eml',
      contentType: 'message/rfc822',
      content: await getRawMessage(app, who, params.id, params.messageId),
    }),
  )
  serveStored(server, app, getAttachmentsRoute, 'whole', async ({ params }, who, reply) =>
    sendFile(reply, {
      ...{ filename: 'attachments.zip', contentType: 'application/zip' },
      content: await zipAttachments(app, who, params.id, params.messageId),
    }),
  )
  serveStored(server, app, getAttachmentRoute, 'whole', async ({ params }, who, reply) => {
    if (!/^\d{1,4}$/.test(params.n)) throw new AppError('NOT_EXISTS')
    const { id, messageId, n } = params
    return sendFile(reply, await getAttachment(app, who, id, messageId, Number(n)))
  })
}

/** Routes of mail lists: conversations, folders, search, bulk changes. */
export const registerMailListRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listConversationsRoute, ({ params, query }, who) =>
    listConversations(app, who, params.id, query),
  )
  serve(server, app, conversationChanges, ({ params, query }, who) =>
    changesOfList(app, who, params.id, query),
  )
  serve(server, app, getConversationRoute, ({ params }, who) =>
    getConversation(app, who, params.id, params.messageId),
  )
  serve(server, app, listDeletedMessagesRoute, ({ params, query }, who) =>
    listDeletedMessages(app, who, params.id, query),
  )
  serve(server, app, recoverMessagesRoute, ({ params, body }, who) =>
    recoverMessages(app, who, params.id, body.messages),
  )
  serve(server, app, readAheadRoute, ({ params, query }, who) =>
    readAhead(app, who, params.id, query.messages),
  )
  serve(server, app, searchMessagesRoute, ({ params, query }, who) =>
    searchMessages(app, who, params.id, query),
  )
  serve(server, app, searchConversationsRoute, ({ params, query }, who) =>
    searchConversations(app, who, params.id, query),
  )
  serve(server, app, listChangesRoute, ({ params, query }, who) =>
    changesSince(app, who, params.id, query),
  )
  serve(server, app, changeMessagesRoute, ({ params, body }, who) =>
    changeMessages(app, who, params.id, body),
  )
  serve(server, app, undoChangeRoute, ({ params }, who) =>
    undoChange(app, who, params.id, params.changeId),
  )
  serve(server, app, createFolderRoute, ({ params, body }, who) =>
    createFolder(app, who, params.id, body.name),
  )
  serve(server, app, renameFolderRoute, ({ params, body }, who) =>
    renameFolder(app, who, params.id, params.folderId, body.name),
  )
  serve(server, app, deleteFolderRoute, ({ params }, who) =>
    deleteFolder(app, who, params.id, params.folderId),
  )
}

/** Hides repeated reads from the sender for this long. */
const KEPT_SECONDS = 600

/** Routes of what the server does for the reader of a message: remote pictures (decision 026), lists to leave (064), invitations (073). */
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
  serve(server, app, getUnsubscribe, ({ params }, who) =>
    getUnsubscribeOffer(app, who, params.id, params.messageId),
  )
  serve(server, app, getInvitationOf, ({ params }, who) =>
    getInvitation(app, who, params.id, params.messageId),
  )
  serve(server, app, answerInvitationRoute, ({ params, body }, who) =>
    answerInvitation(app, who, params.id, params.messageId, body.answer),
  )
  serve(server, app, unsubscribeRoute, ({ params }, who) =>
    unsubscribe(app, who, params.id, params.messageId),
  )
}
