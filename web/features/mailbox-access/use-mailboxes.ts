/** The mailboxes, those whose mail the user may read, and the one that was opened last. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import type { Output } from '#contract/route.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import type { Ask } from '#web/lib/api/first-view.ts'
import { keyOf, useApi } from '#web/lib/api/use-api.ts'
import { readAllMailboxes } from '#web/lib/read-all-mailboxes.ts'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

/** Few, because the server draws the page with them. */
const FIRST = { limit: 50 }
/** Query arguments of the first page. */
export const all = { query: FIRST }
export const readable = { query: { ...FIRST, readable: 'true' } } as const

type Which = typeof all | typeof readable

const only = ({ query }: Which, id: string) => ({ query: { ...query, limit: 1, id } })

/** For the page of one mailbox, before it is drawn: in a long list it is not among the first. */
export async function askMailboxes(ask: Ask, which: Which, id: string | null): Promise<void> {
  const first = await ask(listMailboxes, which)
  if (id && isFurther(first, id)) await ask(listMailboxes, only(which, id))
}

const isFurther = (first: Output<typeof listMailboxes> | undefined, id: string): boolean =>
  first?.nextCursor != null && !first.items.some(({ _id }) => _id === id)

export type KnownMailboxes = {
  /** The mailboxes that are loaded. */
  mailboxes: Mailbox[] | undefined
  /** true: all mailboxes are loaded. */
  isWhole: boolean
  /** Set when some could not be loaded. */
  error: ApiError | null
  refetch: () => void
}

/** `opened`: the mailbox that the page shows; it is known before a long list is. */
export const useAllMailboxes = (opened: string | null = null): KnownMailboxes =>
  useMailboxes(all, opened)
export const useReadableMailboxes = (opened: string | null = null): KnownMailboxes =>
  useMailboxes(readable, opened)

/** The first page is a query of its own, so that the server can render with it; few workspaces have more mailboxes. */
function useMailboxes(which: Which, opened: string | null): KnownMailboxes {
  const first = useApi(listMailboxes, which)
  const cursor = first.data?.nextCursor ?? undefined
  const rest = useQuery<Mailbox[], ApiError>({
    queryKey: [listMailboxes.path, 'rest', which, cursor],
    meta: { reads: listMailboxes.reads },
    queryFn: ({ signal }) => readAllMailboxes(which.query, { after: cursor, signal }),
    enabled: cursor !== undefined,
  })
  const enabled = opened !== null && isFurther(first.data, opened) && !rest.data
  const alone = useApi(listMailboxes, only(which, opened ?? ''), { enabled })
  const items = first.data?.items
  const further = rest.data ?? (enabled ? alone.data?.items : undefined)
  return {
    mailboxes: items && further ? [...items, ...further] : items,
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
