/** Changes cached lists, counts and the open message before the server has answered. */
import { partialMatchKey, type QueryClient } from '@tanstack/react-query'
import { listConversations } from '#contract/mail/conversations.ts'
import { searchConversations } from '#contract/mail/search.ts'
import { getMessage, listMessages, type Message } from '#contract/messages.ts'
import { invalidateWithPending } from '#web/lib/api/query-client.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { catchUpOf, readMailboxAgain } from './catch-up.ts'
import type { ListPage } from './list-pages.ts'
import { type FoundPages, foundKey } from './use-mail-list.ts'

export type Flags = { isRead?: boolean; isStarred?: boolean }
/** Whether a change is about this row. */
export type IsAffected = (row: CachedRow) => boolean
/** `found`: the row is of a search. */
type CachedRow = { _id: string; threadId?: string; found?: readonly string[] }

type Edit = <Row extends CachedRow>(rows: Row[]) => Row[]

export function mailCache(client: QueryClient, mailboxId: string) {
  const params = { params: { id: mailboxId } }
  const folderPages = { queryKey: [listConversations.path, params] }
  const foundPages = { queryKey: foundKey(mailboxId) }
  const cancelReads = () =>
    Promise.all([client.cancelQueries(folderPages), client.cancelQueries(foundPages)])
  const inPage = (change: Edit) => (page: ListPage | undefined) => {
    if (!page) return page
    const items = change(page.items)
    return { ...page, items, total: page.total - page.items.length + items.length }
  }
  const inFound = (change: Edit) => (data: FoundPages | undefined) =>
    data && {
      ...data,
      pages: data.pages.map((page) => ({ ...page, items: change(page.items) })),
    }
  /** Also edits each answer that arrives until the returned function is called: it may be older than the change. */
  const edit = async (change: Edit): Promise<() => void> => {
    const release = catchUpOf(client, mailboxId).hold()
    await cancelReads()
    client.setQueriesData<ListPage>(folderPages, inPage(change))
    client.setQueriesData<FoundPages>(foundPages, inFound(change))
    const stop = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
      const { queryKey } = event.query
      if (partialMatchKey(queryKey, folderPages.queryKey))
        client.setQueryData<ListPage>(queryKey, inPage(change))
      else if (partialMatchKey(queryKey, foundPages.queryKey))
        client.setQueryData<FoundPages>(queryKey, inFound(change))
    })
    return () => {
      stop()
      release()
    }
  }
  const readOthersAgain = () =>
    Promise.all(
      [searchConversations, listMessages].map(({ path }) =>
        invalidateWithPending(client, { queryKey: [path, params] }),
      ),
    )
  return {
    /** Here and in `remove`: call the returned function when the server has answered. */
    mark: (isAffected: IsAffected, flags: Flags) =>
      edit((rows) => rows.map((row) => (isAffected(row) ? { ...row, ...flags } : row))),
    markOpen: (id: string, flags: Flags) => {
      const key = keyOf(getMessage, { params: { id: mailboxId, messageId: id } })
      client.setQueryData<Message>(key, (message) => message && { ...message, ...flags })
    },
    remove: (isAffected: IsAffected) => edit((rows) => rows.filter((row) => !isAffected(row))),
    /** After a change that the server has made. */
    catchUp: async () => {
      await Promise.all([catchUpOf(client, mailboxId).take({ isOwn: true }), readOthersAgain()])
    },
    /** After an error: the lists may show what did not happen. */
    readAgain: async () => {
      await Promise.all([readOthersAgain(), readMailboxAgain(client, mailboxId, { isOwn: true })])
    },
  }
}
