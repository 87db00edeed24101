/** Active mailboxes that nobody was given, of a list that is longer than what is read of it. */
import { type ListedMailbox, listMailboxes } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import { useMailboxCount } from './use-mailboxes.ts'

const PAGE_SIZE = 200
const WAITING = { status: 'active', access: 'none' } as const

/** A few of many may stay without anybody, as those of rooms and roles do. */
export const areMost = (waiting: number, active: number): boolean => 2 * waiting > active

/** As the server counts them; 0 when they are not most of the active ones. */
export function useWaiting(isWanted: boolean): number {
  const waiting = useMailboxCount(WAITING, isWanted) ?? 0
  const active = useMailboxCount({ status: 'active' }, isWanted) ?? 0
  return isWanted && areMost(waiting, active) ? waiting : 0
}

export async function readWaiting(): Promise<ListedMailbox[]> {
  const found: ListedMailbox[] = []
  let cursor: string | undefined
  do {
    const page = await call(listMailboxes, { query: { limit: PAGE_SIZE, cursor, ...WAITING } })
    found.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return found
}
