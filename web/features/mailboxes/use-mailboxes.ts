/** The mailboxes of the workspace page by page, and those that are not paid yet. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  countMailboxes,
  type ListedMailbox,
  listMailboxes,
  type Mailbox,
  type MailboxSort,
} from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { queryOf, useApi } from '#web/lib/api/use-api.ts'
import { readAllMailboxes } from '#web/lib/read-all-mailboxes.ts'

const PAGE_SIZE = 200

/** What the list is narrowed to; empty: all. */
export type MailboxQuery = { q?: string; access?: AccessState; status?: Mailbox['status'] }
export type AccessState = ListedMailbox['access']['state']

/** Loads further pages while the list is scrolled. `sort`: as the server sorts; undefined: newest first. */
export function useMailboxes(narrowed: MailboxQuery, sort: MailboxSort | undefined) {
  return useInfiniteQuery({
    queryKey: [listMailboxes.path, 'pages', narrowed, sort],
    meta: { reads: listMailboxes.reads },
    queryFn: ({ pageParam, signal }) =>
      call(
        listMailboxes,
        { query: { limit: PAGE_SIZE, cursor: pageParam, ...narrowed, sort } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
}

/** undefined: not known yet, or not wanted. */
export function useMailboxCount(narrowed: MailboxQuery, isWanted: boolean): number | undefined {
  const args = { query: narrowed }
  const placeholderData = (before?: { count: number }) => before
  return useApi(countMailboxes, args, { enabled: isWanted, placeholderData }).data?.count
}

/** Of several lists, in their order. */
export const useMailboxCounts = (all: readonly MailboxQuery[]): (number | null)[] =>
  useQueries({
    queries: all.map((narrowed) => queryOf(countMailboxes, { query: narrowed })),
    combine: (answers) => answers.map(({ data }) => data?.count ?? null),
  })

/** Loads all pages: only then can the browser sort the rows by what the server does not sort by. */
export function useReadingOn(
  { hasNextPage, isFetching, isError, fetchNextPage }: ReturnType<typeof useMailboxes>,
  isWanted: boolean,
): void {
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isWanted, hasNextPage, isFetching, isError, fetchNextPage])
}

/** Loads all of them: the total must not depend on how far the list was scrolled. */
export function useInactiveMailboxes(narrowed: MailboxQuery, isWanted: boolean) {
  return useQuery<Mailbox[], ApiError>({
    queryKey: [listMailboxes.path, 'inactive', narrowed],
    meta: { reads: listMailboxes.reads },
    // Of a list of active ones, none.
    enabled: isWanted && (narrowed.status ?? 'inactive') === 'inactive',
    placeholderData: (before) => before,
    queryFn: ({ signal }) => readAllMailboxes({ ...narrowed, status: 'inactive' }, { signal }),
  })
}
