import {
  type InfiniteData,
  useInfiniteQuery,
  useQueries,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Conversation, listConversations } from '#contract/mail/conversations.ts'
import { searchConversations } from '#contract/mail/search.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, queryOf } from '#web/lib/api/use-api.ts'
import { caughtUp } from './catch-up.ts'
import { argsOf, type ListPage, loadedPages, PAGE } from './list-pages.ts'
import { type MailList, type MailRow, noWords, rowOfConversation, rowOfFound } from './mail-row.ts'

/** The rows of a folder, or of a search in it or in all mail. While a search loads, the previous rows stay. */
export function useMailList(
  mailboxId: string,
  folder: string,
  q: string,
  isInFolder: boolean,
): MailList {
  const conversations = useConversations(mailboxId, folder, true)
  const found = useFound(mailboxId, q, isInFolder ? folder : undefined)
  const list = q === '' ? conversations : found
  const last = useRef<{ list: MailList; folder: string } | null>(null)
  useEffect(() => {
    if (!list.isPending) last.current = { list, folder }
  })
  const before = last.current
  if (list.isPending && q !== '' && before?.folder === folder && !before.list.error)
    return { ...before.list, isStale: true }
  return list
}

const rows = new WeakMap<Conversation, MailRow>()
/** Returns the same row object for the same answer, so that memoised rows are not rendered again. */
const rowOf = (conversation: Conversation): MailRow => {
  const known = rows.get(conversation) ?? rowOfConversation(conversation)
  rows.set(conversation, known)
  return known
}

/** A folder in pages of PAGE rows: visible pages are observed, pages seen before stay in the cache. */
export function useConversations(mailboxId: string, folder: string, isOn: boolean): MailList {
  const client = useQueryClient()
  const [visiblePages, setVisiblePages] = useState({ first: 0, last: 0 })
  const pages = useMemo(
    () => [...new Set([0, ...range(visiblePages.first, visiblePages.last)])],
    [visiblePages],
  )
  const queries = useQueries({
    queries: pages.map((page) => ({
      ...queryOf(listConversations, argsOf(mailboxId, folder, page)),
      ...caughtUp,
      enabled: isOn,
    })),
  })
  const [head] = queries
  const total = head?.data?.total ?? 0
  const pageAt = (page: number): ListPage | undefined =>
    client.getQueryData<ListPage>(keyOf(listConversations, argsOf(mailboxId, folder, page)))
  const at = (index: number): MailRow | undefined => {
    const number = Math.floor(index / PAGE)
    const observed = queries[pages.indexOf(number)]
    const page = observed ? observed.data : pageAt(number)
    const found = index >= 0 && index < total ? page?.items[index % PAGE] : undefined
    return found && rowOf(found)
  }
  const loaded = () =>
    loadedPages(client, mailboxId, folder)
      .flatMap(({ from, data }) =>
        data.items.map((item, place) => ({ index: from + place, row: rowOf(item) })),
      )
      .filter(({ index }) => index < total)
      .toSorted((a, b) => a.index - b.index)
  const load = useCallback(
    (firstRow: number, lastRow: number) => {
      const [first, last] = [Math.max(0, Math.floor(firstRow / PAGE)), Math.floor(lastRow / PAGE)]
      for (const page of isOn ? range(first, last) : []) {
        const query = queryOf(listConversations, argsOf(mailboxId, folder, page))
        // Prefetched before the render, so that a jump waits for the request alone.
        if (client.getQueryState(query.queryKey) === undefined) void client.prefetchQuery(query)
      }
      setVisiblePages((now) => (now.first === first && now.last === last ? now : { first, last }))
    },
    [client, mailboxId, folder, isOn],
  )
  return {
    total,
    at,
    loaded,
    indexOf: (messageId, threadId) =>
      loaded().find(
        ({ row }) => row._id === messageId || row.opens === messageId || row.key === threadId,
      )?.index ?? -1,
    load,
    isPending: head?.isPending ?? true,
    isStale: false,
    isRefetching: head?.isRefetching ?? false,
    error: head?.isError && !head.data ? (head.error as ApiError) : null,
    isMoreFailed: queries.some(({ isError, data }, place) => place > 0 && isError && !data),
    isWhole: true,
    refetch: () => {
      for (const query of queries) void query.refetch()
    },
    words: noWords,
    isByParts: false,
    notes: noWords,
  }
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)

const FIRST_PAGE = 50
const NEXT_PAGE = 200
const NEAR_THE_END = 20

type FoundPage = Output<typeof searchConversations>
export type FoundPages = InfiniteData<FoundPage, string | undefined>

/** Starts like every key of the endpoint, so that live events find it by mailbox. */
export const foundKey = (mailboxId: string) =>
  [searchConversations.path, { params: { id: mailboxId } }, 'pages'] as const

/**
 * Results of a search, loaded further while scrolling. The last results stay until the next ones arrive.
 * `folder`: searches only that folder; undefined searches all mail.
 */
export function useFound(mailboxId: string, q: string, folder: string | undefined): MailList {
  const query = useInfiniteQuery<FoundPage, ApiError, FoundPages, unknown[], string | undefined>({
    queryKey: [...foundKey(mailboxId), folder ?? '', q],
    meta: { reads: searchConversations.reads },
    queryFn: ({ pageParam: cursor, signal }) => {
      const limit = cursor === undefined ? FIRST_PAGE : NEXT_PAGE
      const args = { params: { id: mailboxId }, query: { q, folder, limit, cursor } }
      return call(searchConversations, args, { signal })
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
    indexOf: (messageId, threadId) =>
      found.findIndex(
        ({ _id, key, found: ids }) =>
          _id === messageId || key === threadId || ids?.includes(messageId),
      ),
    load: (_first, last) => {
      if (!hasNextPage || isFetchingNextPage || isFetchNextPageError) return
      if (last >= found.length - NEAR_THE_END) void fetchNextPage()
    },
    isPending: query.isPending,
    isStale: query.isPlaceholderData,
    isRefetching: query.isRefetching,
    error: query.isError && !query.data ? query.error : null,
    isMoreFailed: isFetchNextPageError,
    isWhole: !hasNextPage,
    refetch: () => void (isFetchNextPageError ? fetchNextPage() : query.refetch()),
    words: first?.words ?? noWords,
    isByParts: first?.isByParts ?? false,
    notes: first?.notes ?? noWords,
  }
}
