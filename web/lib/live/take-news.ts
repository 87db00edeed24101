/** What an open page asks about instead of reading its lists again (decision 091). */
import type { Query } from '@tanstack/react-query'
import type { Changed } from '#contract/events.ts'

export type NewsTaker = {
  mailboxId: string
  /** `modseq`: of the mailbox, where it is known. */
  take: (modseq: number | undefined) => void
  /** The queries that it keeps up to date. */
  isTaken: (query: Query) => boolean
}

const takers = new Set<NewsTaker>()

/** @returns what ends it. */
export const offerTaker = (taker: NewsTaker): (() => void) => {
  takers.add(taker)
  return () => void takers.delete(taker)
}

/** null: everything may have changed. @returns whether a query needs no other reading for the news. */
export const takeNews = (event: Changed | null): ((query: Query) => boolean) => {
  const asked = [...takers].filter(
    ({ mailboxId }) =>
      event === null || (event.topic === 'messages' && event.mailboxId === mailboxId),
  )
  for (const taker of asked) taker.take(event?.modseq)
  return (query) => asked.some(({ isTaken }) => isTaken(query))
}
