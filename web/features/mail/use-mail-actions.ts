/** What is done to messages: shown at once, sent to the server, taken back when it refuses. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  changeMessage,
  deleteMessage,
  getMessage,
  listFolders,
  listMessages,
  type Message,
  type MessageSummary,
} from '#contract/messages.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import { type MessagePages, pagesKey } from './list/use-messages.ts'

type Flags = { isRead?: boolean; isStarred?: boolean }
type Id = Pick<MessageSummary, '_id'>

export type MailActions = {
  mark: (message: Id, flags: Flags) => Promise<void>
  /** `said`: 'Archived', for the toast that can take it back. */
  move: (message: Id, from: string, to: string, said: string) => Promise<void>
  deleteForever: (message: Id) => Promise<void>
}

export function useMailActions(mailboxId: string): MailActions {
  const client = useQueryClient()
  return useMemo(() => actionsOn(client, mailboxId), [client, mailboxId])
}

function actionsOn(client: QueryClient, mailboxId: string): MailActions {
  const cache = cacheOf(client, mailboxId)
  const at = (message: Id) => ({ id: mailboxId, messageId: message._id })
  const attempt = async (act: () => Promise<unknown>, failure: string): Promise<boolean> => {
    try {
      await act()
      return true
    } catch (error) {
      toast({ title: failure, description: messageOf(error), variant: 'error' })
      return false
    } finally {
      await cache.readAgain()
    }
  }
  const moveTo = (message: Id, folder: string) =>
    call(changeMessage, { params: at(message), body: { folder } })
  return {
    mark: async (message, flags) => {
      await cache.change(message._id, flags)
      await attempt(
        () => call(changeMessage, { params: at(message), body: flags }),
        'The message could not be changed',
      )
    },
    move: async (message, from, to, said) => {
      await cache.remove(message._id)
      const isMoved = await attempt(() => moveTo(message, to), 'The message could not be moved')
      if (!isMoved) return
      const undo = () => void attempt(() => moveTo(message, from), 'It could not be taken back')
      toast({ title: said, action: { label: 'Undo', run: undo } })
    },
    deleteForever: async (message) => {
      await cache.remove(message._id)
      const isDone = await attempt(
        () => call(deleteMessage, { params: at(message) }),
        'The message could not be deleted',
      )
      if (isDone) toast({ title: 'Deleted for good' })
    },
  }
}

/** The lists and the open message as they will be when the server has agreed. */
function cacheOf(client: QueryClient, mailboxId: string) {
  const lists = { queryKey: pagesKey(mailboxId) }
  const edit = async (items: (items: MessageSummary[]) => MessageSummary[]) => {
    await client.cancelQueries(lists)
    client.setQueriesData<MessagePages>(
      lists,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: items(page.items) })),
        },
    )
  }
  return {
    change: async (id: string, flags: Flags) => {
      const key = keyOf(getMessage, { params: { id: mailboxId, messageId: id } })
      client.setQueryData<Message>(key, (message) => message && { ...message, ...flags })
      await edit((items) => items.map((item) => (item._id === id ? { ...item, ...flags } : item)))
    },
    remove: (id: string) => edit((items) => items.filter((item) => item._id !== id)),
    readAgain: async () => {
      const params = { params: { id: mailboxId } }
      await Promise.all([
        client.invalidateQueries({ queryKey: [listFolders.path, params] }),
        client.invalidateQueries({ queryKey: [listMessages.path, params] }),
      ])
    },
  }
}
