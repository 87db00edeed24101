/** The pages in which the list of a folder is read and kept. */
import type { Query, QueryClient } from '@tanstack/react-query'
import { listConversations } from '#contract/mail/conversations.ts'
import type { Output } from '#contract/route.ts'

/** Rows of a page. */
export const PAGE = 50

export type ListPage = Output<typeof listConversations>

export const argsOf = (mailboxId: string, folder: string, page: number) => ({
  params: { id: mailboxId },
  query: { folder, from: page * PAGE, limit: PAGE },
})

/** What a query of a page asks for. */
export const askedBy = ({ queryKey }: Pick<Query, 'queryKey'>) =>
  (queryKey[1] as ReturnType<typeof argsOf>).query

export type LoadedPage = { from: number; data: ListPage }

export const loadedPages = (client: QueryClient, mailboxId: string, folder: string): LoadedPage[] =>
  client
    .getQueriesData<ListPage>({ queryKey: [listConversations.path, { params: { id: mailboxId } }] })
    .flatMap(([queryKey, data]) => {
      const asked = askedBy({ queryKey })
      return data && asked.folder === folder ? [{ from: asked.from, data }] : []
    })
