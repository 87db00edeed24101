/** The mailboxes, those whose mail the user may read, and the one that was opened last. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, useApi } from '#web/lib/api/use-api.ts'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

const PAGE_SIZE = 200
/** Query arguments of the first page. */
export const all = { query: { limit: PAGE_SIZE } } as const
export const readable = { query: { limit: PAGE_SIZE, readable: 'true' } } as const

/** Loads all further pages. */
async function restOf(
  first: typeof all | typeof readable,
  after: string | undefined,
  signal: AbortSignal,
): Promise<Mailbox[]> {
  const found: Mailbox[] = []
  let cursor = after
  do {
    const args = { query: { ...first.query, cursor } }
    const page = await call(listMailboxes, args, { signal })
    found.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return found
}

export type KnownMailboxes = {
  /** The mailboxes that are loaded. */
  mailboxes: Mailbox[] | undefined
  /** true: all mailboxes are loaded. */
  isWhole: boolean
  /** Set when some could not be loaded. */
  error: ApiError | null
  refetch: () => void
}

export const useAllMailboxes = (): KnownMailboxes => useMailboxes(all)
export const useReadableMailboxes = (): KnownMailboxes => useMailboxes(readable)

/** The first page is a query of its own, so that the server can render with it; few workspaces have more mailboxes. */
function useMailboxes(which: typeof all | typeof readable): KnownMailboxes {
  const first = useApi(listMailboxes, which)
  const cursor = first.data?.nextCursor ?? undefined
  const rest = useQuery<Mailbox[], ApiError>({
    queryKey: [listMailboxes.path, 'rest', which, cursor],
    meta: { reads: listMailboxes.reads },
    queryFn: ({ signal }) => restOf(which, cursor, signal),
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

/** Updates the cache with a saved mailbox, so that the next message has the new name and signature at once. */
export function knowMailbox(client: QueryClient, saved: Mailbox): void {
  const known = (mailbox: Mailbox) => (mailbox._id === saved._id ? saved : mailbox)
  client.setQueriesData<Mailbox[]>({ queryKey: [listMailboxes.path, 'rest'] }, (list) =>
    list?.map(known),
  )
  for (const first of [all, readable])
    client.setQueryData<{ items: Mailbox[] }>(
      keyOf(listMailboxes, first),
      (page) => page && { ...page, items: page.items.map(known) },
    )
}

const KEY = 'mailstead-mailbox'

export const lastMailbox = {
  read: (): string | null => localStorage.getItem(KEY),
  remember: (id: string): void => localStorage.setItem(KEY, id),
}

/** undefined on the server, which does not know this browser. */
export const useLastMailbox = (): string | null | undefined =>
  useInBrowser<string | null | undefined>(lastMailbox.read, undefined)
