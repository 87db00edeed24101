/** The mailboxes whose mail the user may read, and the one that was read last. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, useApi } from '#web/lib/api/use-api.ts'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

const PAGE_SIZE = 200
/** The first page. */
export const readable = { query: { limit: PAGE_SIZE, readable: 'true' } } as const

/** All that follow the first page. */
async function restOf(
  query: { readable?: 'true' },
  after: string | undefined,
  signal: AbortSignal,
): Promise<Mailbox[]> {
  const found: Mailbox[] = []
  let cursor = after
  do {
    const args = { query: { limit: PAGE_SIZE, cursor, ...query } }
    const page = await call(listMailboxes, args, { signal })
    found.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return found
}

export const useAllMailboxes = () =>
  useQuery<Mailbox[], ApiError>({
    queryKey: [listMailboxes.path, 'whole list', 'all'],
    queryFn: ({ signal }) => restOf({}, undefined, signal),
  })

export type ReadableMailboxes = {
  /** Those that are known. */
  mailboxes: Mailbox[] | undefined
  /** There are no others. */
  isWhole: boolean
  /** Some could not be read. */
  error: ApiError | null
  refetch: () => void
}

/** The first page is a query of its own, so that the server can draw with it; hardly anybody reads more. */
export function useReadableMailboxes(): ReadableMailboxes {
  const first = useApi(listMailboxes, readable)
  const cursor = first.data?.nextCursor ?? undefined
  const rest = useQuery<Mailbox[], ApiError>({
    queryKey: [listMailboxes.path, 'whole list', 'readable', cursor],
    queryFn: ({ signal }) => restOf({ readable: 'true' }, cursor, signal),
    enabled: cursor !== undefined,
  })
  const items = first.data?.items
  return {
    mailboxes: items && rest.data ? [...items, ...rest.data] : items,
    isWhole: items !== undefined && (cursor === undefined || rest.data !== undefined),
    error: items ? rest.error : first.error,
    refetch: () => void (first.data ? rest : first).refetch(),
  }
}

/** What is written next begins with the new name and signature, before the list is read again. */
export function knowMailbox(client: QueryClient, saved: Mailbox): void {
  const known = (mailbox: Mailbox) => (mailbox._id === saved._id ? saved : mailbox)
  client.setQueriesData<Mailbox[]>({ queryKey: [listMailboxes.path, 'whole list'] }, (list) =>
    list?.map(known),
  )
  client.setQueryData<{ items: Mailbox[] }>(
    keyOf(listMailboxes, readable),
    (page) => page && { ...page, items: page.items.map(known) },
  )
}

const KEY = 'mailstead-mailbox'

export const lastMailbox = {
  read: (): string | null => localStorage.getItem(KEY),
  remember: (id: string): void => localStorage.setItem(KEY, id),
}

/** null while the server draws, which does not know this browser. */
export const useLastMailbox = (): string | null => useInBrowser(lastMailbox.read, null)
