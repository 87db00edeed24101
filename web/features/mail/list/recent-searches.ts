/** The last searches of a mailbox: kept in this browser for the one who searched, and forgotten when they log out. */
import { useEffect, useState } from 'react'
import { signedInUserId } from '#web/lib/api/session.ts'
import { forgetLocally, keepLocally, keptLocally } from '#web/lib/local-store.ts'

const MAX_KEPT = 5

/** Newest first; each once, however its letters were written. */
export const withSearch = (recent: readonly string[], q: string): string[] =>
  [q, ...withoutSearch(recent, q)].slice(0, MAX_KEPT)

export const withoutSearch = (recent: readonly string[], q: string): string[] =>
  recent.filter((each) => each.toLowerCase() !== q.toLowerCase())

export type RecentSearches = {
  recent: readonly string[]
  note: (q: string) => void
  forget: (q: string) => void
  forgetAll: () => void
}

export function useRecentSearches(mailboxId: string): RecentSearches {
  const [recent, setRecent] = useState<readonly string[]>([])
  useEffect(() => {
    void read(mailboxId).then(setRecent)
  }, [mailboxId])
  // Reads first: another tab may have kept more.
  const change = async (edit: (recent: readonly string[]) => readonly string[]) => {
    const next = edit(await read(mailboxId))
    setRecent(next)
    await write(mailboxId, next).catch(() => undefined)
  }
  return {
    recent,
    note: (q) => void change((all) => withSearch(all, q)),
    forget: (q) => void change((all) => withoutSearch(all, q)),
    forgetAll: () => void change(() => []),
  }
}

const idOf = (mailboxId: string): string => `searches ${signedInUserId()} ${mailboxId}`

const read = async (mailboxId: string): Promise<readonly string[]> => {
  const [kept] = await keptLocally<{ searches: string[] }>(idOf(mailboxId)).catch(() => [])
  return kept?.searches ?? []
}

const write = async (mailboxId: string, searches: readonly string[]): Promise<void> => {
  if (searches.length === 0) await forgetLocally(idOf(mailboxId))
  else await keepLocally(idOf(mailboxId), { searches }, signedInUserId())
}
