/** What a search has found, read on as it is scrolled. Until the next answer comes, the last one stays. */
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { searchMessages } from '#contract/mail/search.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { type MailList, noWords, rowOfFound } from './mail-row.ts'

const FIRST_PAGE = 50
const NEXT_PAGE = 200
const NEAR_THE_END = 20

type Page = Output<typeof searchMessages>
export type FoundPages = InfiniteData<Page, string | undefined>

/** Begins as every key of the endpoint does, so that live events find it by mailbox. */
export const foundKey = (mailboxId: string) =>
  [searchMessages.path, { params: { id: mailboxId } }, 'pages'] as const

/** `folder`: in that one only. */
export function useFound(mailboxId: string, q: string, folder: string | undefined): MailList {
  const query = useInfiniteQuery<Page, ApiError, FoundPages, unknown[], string | undefined>({
    queryKey: [...foundKey(mailboxId), folder ?? '', q],
    meta: { reads: searchMessages.reads },
    queryFn: ({ pageParam: cursor, signal }) => {
      const limit = cursor === undefined ? FIRST_PAGE : NEXT_PAGE
      const args = { params: { id: mailboxId }, query: { q, folder, limit, cursor } }
      return call(searchMessages, args, { signal })
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (last) => last,
    enabled: q !== '',
  })
  const found = useMemo(
    () => query.data?.pages.flatMap((page) => page.items.map(rowOfFound)) ?? [],
    [query.data],
  )
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const [first] = query.data?.pages ?? []
  return {
    total: found.length,
    at: (index) => found[index],
    loaded: () => found.map((row, index) => ({ index, row })),
    indexOf: (messageId) => found.findIndex(({ _id }) => _id === messageId),
    want: (_first, last) => {
      if (!hasNextPage || isFetchingNextPage || isFetchNextPageError) return
      if (last >= found.length - NEAR_THE_END) void fetchNextPage()
    },
    isPending: query.isPending,
    isOld: query.isPlaceholderData,
    isRefetching: query.isRefetching,
    error: query.isError && !query.data ? query.error : null,
    isMoreFailed: isFetchNextPageError,
    isWhole: !hasNextPage,
    refetch: () => void (isFetchNextPageError ? fetchNextPage() : query.refetch()),
    words: first?.words ?? noWords,
    isByParts: first?.isByParts ?? false,
  }
}
