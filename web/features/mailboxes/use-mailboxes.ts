/** The mailboxes of the workspace, a page at a time, and those that wait for payment. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'

const PAGE_SIZE = 200

const searching = (search: string) => (search === '' ? {} : { q: search })

/** Read on as the list is scrolled. */
export function useMailboxes(search: string) {
  return useInfiniteQuery({
    queryKey: [listMailboxes.path, 'pages', search],
    meta: { reads: listMailboxes.reads },
    queryFn: ({ pageParam, signal }) =>
      call(
        listMailboxes,
        { query: { limit: PAGE_SIZE, cursor: pageParam, ...searching(search) } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
}

/** Reads the rest too: an order, other than the server's, is one of all rows. */
export function useReadingOn(
  { hasNextPage, isFetching, isError, fetchNextPage }: ReturnType<typeof useMailboxes>,
  isWanted: boolean,
): void {
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isWanted, hasNextPage, isFetching, isError, fetchNextPage])
}

/** All of them: the sum to pay must not depend on how far the list was scrolled. */
export function useInactiveMailboxes(search: string, isWanted: boolean) {
  return useQuery<Mailbox[], ApiError>({
    queryKey: [listMailboxes.path, 'inactive', search],
    meta: { reads: listMailboxes.reads },
    enabled: isWanted,
    placeholderData: (before) => before,
    queryFn: async ({ signal }) => {
      const found: Mailbox[] = []
      let cursor: string | undefined
      do {
        const page = await call(
          listMailboxes,
          { query: { limit: PAGE_SIZE, cursor, status: 'inactive', ...searching(search) } },
          { signal },
        )
        found.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return found
    },
  })
}
