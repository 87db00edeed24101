/** A folder, or what a search finds in it, read on as the list is scrolled. */
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listMessages, type MessageSummary } from '#contract/messages.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'

/** The first page is what is seen at once. */
const FIRST_PAGE = 50
const NEXT_PAGE = 200

type Page = Output<typeof listMessages>
export type MessagePages = InfiniteData<Page, string | undefined>

/** Begins as every key of the endpoint does, so that live events find it by mailbox. */
export const pagesKey = (mailboxId: string) =>
  [listMessages.path, { params: { id: mailboxId } }, 'pages'] as const

export function useMessages(mailboxId: string, folder: string, q: string) {
  const query = useInfiniteQuery<Page, ApiError, MessagePages, unknown[], string | undefined>({
    queryKey: [...pagesKey(mailboxId), folder, q],
    queryFn: ({ pageParam: cursor, signal }) => {
      const limit = cursor === undefined ? FIRST_PAGE : NEXT_PAGE
      const search = q === '' ? {} : { q }
      const args = { params: { id: mailboxId }, query: { folder, limit, cursor, ...search } }
      return call(listMessages, args, { signal })
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const messages = useMemo<readonly MessageSummary[]>(
    () => query.data?.pages.flatMap((page) => page.items) ?? [],
    [query.data],
  )
  return { query, messages }
}
