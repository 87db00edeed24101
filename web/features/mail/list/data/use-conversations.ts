/** A folder by pages of its positions: those on the screen are read, those seen before are kept. */
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { type Conversation, listConversations } from '#contract/mail/conversations.ts'
import type { Output } from '#contract/route.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, queryOf } from '#web/lib/api/use-api.ts'
import { type MailList, type MailRow, noWords, rowOfConversation } from './mail-row.ts'

const PAGE = 50

type Page = Output<typeof listConversations>

export const argsOf = (mailboxId: string, folder: string, page: number) => ({
  params: { id: mailboxId },
  query: { folder, from: page * PAGE, limit: PAGE },
})

const rows = new WeakMap<Conversation, MailRow>()
/** The same row for the same answer, so that lines are not drawn again. */
const rowOf = (conversation: Conversation): MailRow => {
  const known = rows.get(conversation) ?? rowOfConversation(conversation)
  rows.set(conversation, known)
  return known
}

export function useConversations(mailboxId: string, folder: string, isOn: boolean): MailList {
  const client = useQueryClient()
  const [seen, setSeen] = useState({ first: 0, last: 0 })
  const pages = useMemo(() => [...new Set([0, ...range(seen.first, seen.last)])], [seen])
  const queries = useQueries({
    queries: pages.map((page) => ({
      ...queryOf(listConversations, argsOf(mailboxId, folder, page)),
      enabled: isOn,
    })),
  })
  const [head] = queries
  const total = head?.data?.total ?? 0
  const pageAt = (page: number): Page | undefined =>
    client.getQueryData<Page>(keyOf(listConversations, argsOf(mailboxId, folder, page)))
  const at = (index: number): MailRow | undefined => {
    const number = Math.floor(index / PAGE)
    const observed = queries[pages.indexOf(number)]
    const page = observed ? observed.data : pageAt(number)
    const found = index >= 0 && index < total ? page?.items[index % PAGE] : undefined
    return found && rowOf(found)
  }
  const loaded = () =>
    client
      .getQueriesData<Page>({ queryKey: [listConversations.path, { params: { id: mailboxId } }] })
      .flatMap(([key, data]) => {
        const { query } = key[1] as ReturnType<typeof argsOf>
        if (query.folder !== folder || !data) return []
        return data.items.map((item, place) => ({ index: query.from + place, row: rowOf(item) }))
      })
      .filter(({ index }) => index < total)
      .toSorted((a, b) => a.index - b.index)
  const want = useCallback(
    (firstRow: number, lastRow: number) => {
      const [first, last] = [Math.max(0, Math.floor(firstRow / PAGE)), Math.floor(lastRow / PAGE)]
      for (const page of isOn ? range(first, last) : []) {
        const query = queryOf(listConversations, argsOf(mailboxId, folder, page))
        // Before anything is drawn: whoever jumps waits for nothing else.
        if (client.getQueryState(query.queryKey) === undefined) void client.prefetchQuery(query)
      }
      setSeen((now) => (now.first === first && now.last === last ? now : { first, last }))
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
    want,
    isPending: head?.isPending ?? true,
    isOld: false,
    isRefetching: head?.isRefetching ?? false,
    error: head?.isError && !head.data ? (head.error as ApiError) : null,
    isMoreFailed: queries.some(({ isError, data }, place) => place > 0 && isError && !data),
    isWhole: true,
    refetch: () => {
      for (const query of queries) void query.refetch()
    },
    words: noWords,
    isByParts: false,
  }
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)
