/** Active mailboxes that nobody was given, of a list that is longer than what is read of it. */
import { readAllMailboxes } from '#web/lib/read-all-mailboxes.ts'
import { useMailboxCount } from './use-mailboxes.ts'

const WAITING = { status: 'active', access: 'none' } as const

/** A few of many may stay without anybody, as those of rooms and roles do. */
export const areMost = (waiting: number, active: number): boolean => 2 * waiting > active

/** As the server counts them; 0 when they are not most of the active ones. */
export function useWaiting(isWanted: boolean): number {
  const waiting = useMailboxCount(WAITING, isWanted) ?? 0
  const active = useMailboxCount({ status: 'active' }, isWanted) ?? 0
  return isWanted && areMost(waiting, active) ? waiting : 0
}

export const readWaiting = () => readAllMailboxes(WAITING)
