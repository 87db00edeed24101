/** Searches messages: whole words first; without a hit, parts of words in subjects and people. */
import { invalidField } from '#contract/errors.ts'
import type { FoundConversation, FoundMessage } from '#contract/mail/search.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type FolderRow, foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { ownAddresses } from '#server/features/mailboxes/own-addresses.ts'
import { pageOf, readCursor } from '#server/lib/page-cursor.ts'
import { openTurnsOfEach } from '#server/lib/turns/turns.ts'
import type { Database } from '#server/storage/database.ts'
import { namesOf } from '../conversations-store.ts'
import { pickFolder } from '../list-folders.ts'
import { folderName, toPerson, toSummary } from '../to-summary.ts'
import { type Condition, isTerm, parseSearch, type Search, type Term } from './parse-search.ts'
import {
  partsOf,
  partsOfTerm,
  queryOfTerm,
  snippetOf,
  tsqueryOf,
  wordsToMark,
} from './search-query.ts'
import {
  type Choice,
  type FoundRow,
  type FoundThreadRow,
  type SearchRequest,
  searchIds,
  searchRows,
  searchThreads,
} from './search-store.ts'

export type SearchAsked = {
  q: string
  /** One folder only; otherwise all but Trash and Junk. */
  folder?: string | undefined
  cursor?: string | undefined
  limit: number
}

type Page<Item> = { items: Item[]; nextCursor: string | null; isByParts: boolean }

export type Found<Item = FoundMessage> = Page<Item> & { words: string[]; notes: string[] }

const PARTS = 'p'
/** Searches per workspace at once: a search can occupy a database connection for seconds, and all workspaces share them. */
const turns = openTurnsOfEach(3)

export const searchMessages = async (
  app: App,
  who: Who,
  mailboxId: string,
  asked: SearchAsked,
): Promise<Found> => {
  const { folders, words, notes, read } = await openSearch(app, who, mailboxId, asked)
  const page = await read(searchRows, asked.limit)
  return { ...page, items: page.items.map((row) => toFound(row, folders, words)), words, notes }
}

/** Each conversation once, by the newest message of it that the search finds. */
export const searchConversations = async (
  app: App,
  who: Who,
  mailboxId: string,
  asked: SearchAsked,
): Promise<Found<FoundConversation>> => {
  const { folders, words, notes, read } = await openSearch(app, who, mailboxId, asked)
  const page = await read(searchThreads, asked.limit)
  return { ...page, items: page.items.map((row) => toThread(row, folders, words)), words, notes }
}

/** One's own answers stay in Sent when the conversation is moved, as they do in a folder; unless nothing else was found of it. */
const toThread = (
  row: FoundThreadRow,
  folders: readonly FolderRow[],
  words: readonly string[],
): FoundConversation => {
  const received = row.found.filter(({ folderId }) => !isOwn(folders, folderId))
  const found = received.length > 0 ? received : row.found
  const folderId = found[0]?.folderId ?? row.folderId
  return {
    ...toFound({ ...row, folderId }, folders, words),
    isRead: row.found.every(({ isRead }) => isRead),
    isStarred: row.found.some(({ isStarred }) => isStarred),
    threadId: row.threadId,
    found: found.map(({ id }) => id),
    people: namesOf(row.found.map(({ from }) => from)).map(toPerson),
  }
}

const isOwn = (folders: readonly FolderRow[], folderId: string): boolean => {
  const role = folders.find(({ id }) => id === folderId)?.role
  return role === 'sent' || role === 'drafts'
}

/**
 * Ids of what a search finds, to be changed, without the conversations of `except`; mail that comes after `until` is not meant.
 * `isMove`: without Sent and Drafts, unless the search looks there alone.
 */
export const findForChange = async (
  app: App,
  who: Who,
  mailboxId: string,
  asked: SearchAsked & { until: Date; except: readonly string[]; isMove: boolean },
): Promise<{ ids: string[]; nextCursor: string | null }> => {
  const { folders, read } = await openSearch(app, who, mailboxId, asked)
  const find = (db: Database, request: SearchRequest) => {
    const received = request.folderIds.filter((id) => !isOwn(folders, id))
    const folderIds = asked.isMove && received.length > 0 ? received : request.folderIds
    const until = new Date(asked.until.getTime() + 1)
    const bound = request.until !== null && request.until < until ? request.until : until
    return searchIds(db, { ...request, folderIds, until: bound }, asked.except)
  }
  const { items, nextCursor } = await read(find, asked.limit)
  return { ids: items.map(({ id }) => id), nextCursor }
}

type Find<Row> = (db: Database, request: SearchRequest) => Promise<Row[]>

const openSearch = async (app: App, who: Who, mailboxId: string, asked: SearchAsked) => {
  const mailbox = await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  const folders = await foldersOf(app.db, workspaceId, mailboxId)
  const given = asked.folder === undefined ? null : pickFolder(folders, asked.folder)
  const { after, isByParts } = readPlace(asked.cursor)
  const search = parseSearch(asked.q, app.clock.now())
  const { groups, mixed } = search
  const terms = [...groups, ...mixed].flat().filter(isTerm)
  const own = terms.some(({ isMe }) => isMe) ? await ownAddresses(app, mailbox) : []
  const folderIds = placesOf(search, folders, given)
  const parts = partsOf(search)
  const choices = (inParts: boolean) =>
    mixed.map((group) => group.map((each) => choiceOf(each, { folders, own, inParts })))
  const byParts = { parts, mixed: choices(true) }
  const request: Omit<SearchRequest, 'limit'> = {
    ...{ workspaceId, mailboxId, folderIds, after, tsquery: tsqueryOf(search, own) },
    ...(isByParts ? byParts : { parts: null, mixed: choices(false) }),
    isByExclusion: groups.every((terms) => terms.some(({ isNot }) => isNot)),
    ...{ isUnread: search.isUnread, isStarred: search.isStarred },
    ...{ hasAttachment: search.hasAttachment, from: search.after, until: search.before },
    ...{ atLeast: search.larger, lessThan: search.smaller },
  }
  /** A first page without a hit looks for parts of words. */
  const read = async <Row extends { id: string; date: Date }>(find: Find<Row>, limit: number) => {
    if (folderIds.length === 0 || isEmpty(search))
      return { items: [], nextCursor: null, isByParts: false }
    const asking = { ...request, limit: limit + 1 }
    const run = (by: SearchRequest) => turns.take(workspaceId, () => find(app.db, by))
    const rows = await run(asking)
    if (rows.length > 0 || after !== null || parts === null) return toPage(rows, limit, isByParts)
    const found = await run({ ...asking, ...byParts })
    return toPage(found, limit, found.length > 0)
  }
  return { folders, words: wordsToMark(search), notes: search.notes, read }
}

const toPage = <Row extends { id: string; date: Date }>(
  rows: Row[],
  limit: number,
  isByParts: boolean,
): Page<Row> => {
  const page = pageOf(rows, limit, ({ date, id }) => ({ at: date, id }))
  const next = page.nextCursor
  return { items: page.items, nextCursor: next && isByParts ? PARTS + next : next, isByParts }
}

/** A later page continues in the mode of the first one. */
const readPlace = (cursor: string | undefined) => {
  if (cursor === undefined) return { after: null, isByParts: false }
  const isByParts = cursor.startsWith(PARTS)
  const after = readCursor(isByParts ? cursor.slice(PARTS.length) : cursor)
  if (after === null) throw invalidField('cursor', 'This is not a cursor of this list')
  return { after, isByParts }
}

const isEmpty = ({ groups, mixed, notes: _notes, ...conditions }: Search) =>
  groups.length + mixed.length === 0 && Object.values(conditions).every((asked) => asked === null)

/** An unknown folder gives no results. A folder that stands beside something else is searched, too. */
const placesOf = (
  { folder, mixed }: Search,
  folders: readonly FolderRow[],
  given: FolderRow | null,
): string[] => {
  const beside = mixed.flat().flatMap((each) => (isTerm(each) ? [] : idsOf(each.folder, folders)))
  if (folder !== null) return idsOf(folder, folders)
  const usual = folders.filter(({ role }) => role !== 'trash' && role !== 'junk')
  return [...new Set([...(given ? [given] : usual).map(({ id }) => id), ...beside])]
}

const idsOf = (folder: Condition['folder'], folders: readonly FolderRow[]): string[] => {
  if (folder === undefined) return []
  const isMeant = ({ role, name }: FolderRow): boolean =>
    folder === 'anywhere' ||
    (typeof folder === 'string' ? role === folder : name.toLowerCase() === folder.name)
  return folders.filter(isMeant).map(({ id }) => id)
}

type ChoiceOptions = { folders: readonly FolderRow[]; own: readonly string[]; inParts: boolean }

const choiceOf = (each: Term | Condition, { folders, own, inParts }: ChoiceOptions): Choice => {
  if (isTerm(each)) return { words: inParts ? partsOfTerm(each) : queryOfTerm(each, own) }
  const { folder, before, after, larger, smaller, ...flags } = each
  if (folder !== undefined) return { folderIds: idsOf(folder, folders) }
  return {
    ...flags,
    ...{ from: after ?? null, until: before ?? null },
    ...{ atLeast: larger ?? null, lessThan: smaller ?? null },
  }
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
