/** The mailboxes whose mail the user may read, and the one that was read last. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'

const PAGE_SIZE = 200

export function useMailboxList(which: 'readable' | 'all') {
  return useQuery<Mailbox[], ApiError>({
    queryKey: [listMailboxes.path, 'whole list', which],
    queryFn: async ({ signal }) => {
      const found: Mailbox[] = []
      let cursor: string | undefined
      do {
        const readable = which === 'readable' ? ({ readable: 'true' } as const) : {}
        const query = { limit: PAGE_SIZE, cursor, ...readable }
        const page = await call(listMailboxes, { query }, { signal })
        found.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return found
    },
  })
}

/** What is written next begins with the new name and signature, before the list is read again. */
export function knowMailbox(client: QueryClient, saved: Mailbox): void {
  client.setQueriesData<Mailbox[]>({ queryKey: [listMailboxes.path, 'whole list'] }, (list) =>
    list?.map((mailbox) => (mailbox._id === saved._id ? saved : mailbox)),
  )
}

const KEY = 'mailstead-mailbox'

export const lastMailbox = {
  read: (): string | null => localStorage.getItem(KEY),
  remember: (id: string): void => localStorage.setItem(KEY, id),
}
