/** Searches messages: whole words first; without a hit, parts of words in subjects and people. */
import { invalidField } from '#contract/errors.ts'
import type { FoundMessage } from '#contract/mail/search.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type FolderRow, foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { ownAddresses } from '#server/features/mailboxes/own-addresses.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { pickFolder } from './list-folders.ts'
import { parseSearch, partsOf, type Search, tsqueryOf, wordsToMark } from './parse-search.ts'
import { type FoundRow, type SearchRequest, searchRows } from './search-store.ts'
import { folderName, toSummary } from './to-summary.ts'

export type SearchAsked = {
  q: string
  /** One folder only; otherwise all but Trash and Junk. */
  folder?: string | undefined
  cursor?: string | undefined
  limit: number
}

export type Found = {
  items: FoundMessage[]
  nextCursor: string | null
  words: string[]
  isByParts: boolean
}

const PARTS = 'p'
/** Searches per workspace at once: a search can occupy a database connection for seconds, and all workspaces share them. */
const turns = openTurnsOfEach(3)

export const searchMessages = async (
  app: App,
  who: Who,
  mailboxId: string,
  asked: SearchAsked,
): Promise<Found> => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  const folders = await foldersOf(app.db, workspaceId, mailboxId)
  const given = asked.folder === undefined ? null : pickFolder(folders, asked.folder)
  const { after, isByParts } = readPlace(asked.cursor)
  const search = parseSearch(asked.q, app.clock.now())
  const own = search.terms.some(({ isMe }) => isMe) ? await ownAddresses(app, mailbox) : []
  const words = wordsToMark(search)
  const folderIds = placesOf(search, folders, given)
  const none = { items: [], nextCursor: null, words, isByParts: false }
  if (folderIds.length === 0 || isEmpty(search)) return none
  const request: SearchRequest = {
    ...{ workspaceId, mailboxId, folderIds, after },
    ...{ tsquery: tsqueryOf(search, own), parts: isByParts ? partsOf(search) : null },
    isByExclusion: search.terms.every(({ isNot }) => isNot),
    ...{ isUnread: search.isUnread, isStarred: search.isStarred },
    ...{ hasAttachment: search.hasAttachment, from: search.after, until: search.before },
    limit: asked.limit + 1,
  }
  const answer = (rows: FoundRow[], byParts: boolean): Found => {
    const page = pageOf(rows, asked.limit, ({ date, id }) => ({ at: date, id }))
    const items = page.items.map((row) => toFound(row, folders, words))
    const next = page.nextCursor
    return { items, nextCursor: next && byParts ? PARTS + next : next, words, isByParts: byParts }
  }
  const find = (by: SearchRequest) => turns.take(workspaceId, () => searchRows(app.db, by))
  const rows = await find(request)
  const parts = partsOf(search)
  if (rows.length > 0 || after !== null || parts === null) return answer(rows, isByParts)
  const byParts = await find({ ...request, parts })
  return answer(byParts, byParts.length > 0)
}

/** A later page continues in the mode of the first one. */
const readPlace = (cursor: string | undefined) => {
  if (cursor === undefined) return { after: null, isByParts: false }
  const isByParts = cursor.startsWith(PARTS)
  const after = readCursor(isByParts ? cursor.slice(PARTS.length) : cursor)
  if (after === null) throw invalidField('cursor', 'This is not a cursor of this list')
  return { after, isByParts }
}

const isEmpty = ({ terms, isUnread, isStarred, hasAttachment, before, after, folder }: Search) =>
  terms.length === 0 &&
  [isUnread, isStarred, hasAttachment, before, after, folder].every((asked) => asked === null)

/** An unknown folder gives no results. */
const placesOf = (
  { folder }: Search,
  folders: readonly FolderRow[],
  given: FolderRow | null,
): string[] => {
  const isMeant = ({ role, name }: FolderRow): boolean => {
    if (folder === 'anywhere') return true
    if (folder === null) return role !== 'trash' && role !== 'junk'
    return typeof folder === 'string' ? role === folder : name.toLowerCase() === folder.name
  }
  if (folder === null && given) return [given.id]
  return folders.filter(isMeant).map(({ id }) => id)
}

const toFound = (
  row: FoundRow,
  folders: readonly FolderRow[],
  words: readonly string[],
): FoundMessage => {
  const folder = folders.find(({ id }) => id === row.folderId)
  return {
    ...toSummary(row),
    preview: snippetOf(row, words),
    folder: folder ? folderName(folder) : row.folderId,
  }
}

/** A list line shows about 45 letters on a small screen; the word must be among them. */
const SEEN = 40
const BEFORE = 20
const LENGTH = 180

/** Text around the first found word, when neither the subject nor the start of the preview contains one. */
export const snippetOf = (
  { subject, preview, text }: { subject: string; preview: string; text: string },
  words: readonly string[],
): string => {
  const has = (where: string) => {
    const lower = where.toLowerCase()
    return words.some((word) => lower.includes(word))
  }
  if (words.length === 0 || has(subject) || has(preview.slice(0, SEEN))) return preview
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  if (places.length === 0) return preview
  const first = Math.min(...places)
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - BEFORE)))
  const piece = text
    .slice(from, from + LENGTH)
    .trim()
    .toWellFormed()
  return from === 0 ? piece : `… ${piece}`
}
