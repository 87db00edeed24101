import type { FastifyInstance } from 'fastify'
import {
  changeMessages as changeMessagesRoute,
  undoChange as undoChangeRoute,
} from '#contract/mail/changes.ts'
import {
  getConversation as getConversationRoute,
  listConversations as listConversationsRoute,
} from '#contract/mail/conversations.ts'
import {
  createFolder as createFolderRoute,
  deleteFolder as deleteFolderRoute,
  renameFolder as renameFolderRoute,
} from '#contract/mail/own-folders.ts'
import { searchMessages as searchMessagesRoute } from '#contract/mail/search.ts'
import type { App } from '#server/app.ts'
import { changeMessages } from '#server/features/messages/changing/change-messages.ts'
import { undoChange } from '#server/features/messages/changing/undo-change.ts'
import { getConversation } from '#server/features/messages/conversations/get-conversation.ts'
import { listConversations } from '#server/features/messages/conversations/list-conversations.ts'
import {
  createFolder,
  deleteFolder,
  renameFolder,
} from '#server/features/messages/folders/own-folders.ts'
import { searchMessages } from '#server/features/messages/search/search-messages.ts'
import { serve } from '../serve.ts'

/** Lists of mail: conversations, folders, search, and what is done to many messages. */
export const registerMailListRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listConversationsRoute, ({ params, query }, who) =>
    listConversations(app, who, params.id, query),
  )
  serve(server, app, getConversationRoute, ({ params }, who) =>
    getConversation(app, who, params.id, params.messageId),
  )
  serve(server, app, searchMessagesRoute, ({ params, query }, who) =>
    searchMessages(app, who, params.id, query),
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
