/** An open page of a folder's list: it reads pages at some moments, and asks what changed at others (decision 091). */
import type { Who } from '#server/features/accounts/who.ts'
import { changesOfList } from '#server/features/messages/change-log/changes-of-list.ts'
import { listConversations } from '#server/features/messages/conversations.ts'
import { applyChanges, pagesFromTop } from '#web/features/mail/list/apply-changes.ts'
import type { LoadedPage } from '#web/features/mail/list/list-pages.ts'
import type { TestApp } from '../../app.ts'

/** Small, so that rows cross the ends of pages. */
const PAGE = 3

export const aListReader = (app: TestApp, who: Who, mailboxId: string, folder: string) => {
  let pages: LoadedPage[] = []
  const told = { applied: 0, readAgain: 0 }
  const readPage = async (from: number) => {
    const data = await listConversations(app, who, mailboxId, { folder, from, limit: PAGE })
    pages = [...pages.filter((page) => page.from !== from), { from, data }]
  }
  const readOn = async (n: number) => {
    if (n * PAGE < (pages[0]?.data.total ?? 1)) await readPage(n * PAGE)
  }
  const catchUp = async () => {
    const known = pagesFromTop(pages, PAGE)
    const since = known[0]?.data.modseq
    if (since === undefined) return readPage(0)
    const asked = { folder, since, rows: known.length * PAGE }
    const changes = await changesOfList(app, who, mailboxId, asked)
    const now = changes.isForgotten ? null : applyChanges(known, changes, PAGE)
    told[now === null ? 'readAgain' : 'applied'] += 1
    pages = now ?? []
    if (now === null) await readPage(0)
  }
  /** Rows that the page shows, and those that are there. */
  const compared = async () => {
    await catchUp()
    const shown = pagesFromTop(pages, PAGE).flatMap(({ data }) => data.items)
    const limit = Math.max(1, shown.length)
    const { items, total } = await listConversations(app, who, mailboxId, {
      folder,
      from: 0,
      limit,
    })
    const isWhole = shown.length >= Math.min(total, PAGE)
    const isCounted = pages[0]?.data.total === total
    return { shown, there: items.slice(0, shown.length), isWhole: isWhole && isCounted }
  }
  return { readOn, catchUp, compared, told }
}
