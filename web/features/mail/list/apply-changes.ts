/** Applies what changed to the loaded pages of a folder's list (decision 091). */
import type { ChangesOfList, Conversation } from '#contract/mail/conversations.ts'
import { type LoadedPage, PAGE } from './list-pages.ts'

/**
 * The pages from the top of the list without a gap, all of the same modseq: between pages of different moments a row may be
 * missing.
 */
export const pagesFromTop = (pages: readonly LoadedPage[], pageSize = PAGE): LoadedPage[] => {
  const sorted = pages.toSorted((a, b) => a.from - b.from)
  const modseq = sorted[0]?.data.modseq
  const end = sorted.findIndex(
    ({ from, data }, n) => from !== n * pageSize || data.modseq !== modseq,
  )
  return sorted.slice(0, end < 0 ? undefined : end)
}

/**
 * `known`: the pages from the top; the changes were asked for with as many rows. null: the pages do not fit to the list, which
 * has to be read again.
 */
export const applyChanges = (
  known: readonly LoadedPage[],
  { threads, messages, items, end, total, modseq }: ChangesOfList,
  pageSize = PAGE,
): LoadedPage[] | null => {
  const [changedThreads, changedMessages] = [new Set(threads), new Set(messages)]
  const rows = known.flatMap(({ data }) => data.items)
  const isKept = ({ threadId, _id }: Conversation) =>
    !changedThreads.has(threadId) && !changedMessages.has(_id)
  const byThread = new Map(
    [...rows.filter(isKept), ...items, ...end].map((row) => [row.threadId, row]),
  )
  const isWhole = rows.length >= (known.at(-1)?.data.total ?? 0)
  const most = isWhole ? total : Math.min(total, known.length * pageSize)
  const now = [...byThread.values()].toSorted(latestFirst).slice(0, most)
  if (now.length !== most) return null
  return Array.from({ length: Math.max(1, Math.ceil(most / pageSize)) }, (_, n) => ({
    from: n * pageSize,
    data: { items: now.slice(n * pageSize, (n + 1) * pageSize), total, modseq },
  }))
}

/** The server's order. Dates are ISO 8601, ids lower case. */
const latestFirst = (a: Conversation, b: Conversation): number =>
  compared(b.date, a.date) || compared(b._id, a._id)

const compared = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
