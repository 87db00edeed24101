import { type ListedMailbox, listMailboxes } from '#contract/mailboxes.ts'
import type { Arguments } from '#contract/route.ts'
import { call } from './api/api.ts'

const PAGE = { limit: 200 }

type Query = Arguments<typeof listMailboxes>['query']
type Reading = { after?: string | undefined; signal?: AbortSignal }

/** All of a list, page by page. `after`: the cursor of what is read already. */
export async function readAllMailboxes(
  narrowed: Omit<Query, 'cursor'>,
  { after, signal }: Reading = {},
): Promise<ListedMailbox[]> {
  const found: ListedMailbox[] = []
  let cursor = after
  do {
    const query = { ...narrowed, ...PAGE, cursor }
    const page = await call(listMailboxes, { query }, signal ? { signal } : {})
    found.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return found
}
