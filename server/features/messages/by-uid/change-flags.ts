/** STORE: changes flags and keywords of messages (RFC 9051 §6.4.6, RFC 7162 §3.1.3). */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { type Change, type FolderAt, inFolder } from './in-folder.ts'
import { keepKeywords, MAX_KEYWORDS, tooManyOfMessage } from './keep-keywords.ts'
import { type FlagsRow, flagNames, type MessageFlags } from './message-flags.ts'
import { flagsOf, writeFlags } from './uid-store.ts'

export type FlagsChange = {
  how: 'set' | 'add' | 'remove'
  flags: MessageFlags
  /** Messages that changed after this modseq stay as they are; null: none does. */
  unchangedSince: number | null
}

export type ChangedFlags = {
  /** In the order of uids, as they are now, also where nothing changed. */
  messages: FlagsRow[]
  /** Those of them that have changed. */
  changed: FlagsRow[]
  /** Uids that `unchangedSince` kept as they are. */
  modified: number[]
}

/** Messages of one transaction: what others do in the mailbox is between two of them. */
const AT_ONCE = 5_000

/**
 * One modseq for each AT_ONCE messages; none where nothing changes. Uids that are gone are left out.
 * @throws NOT_EXISTS, FORBIDDEN, VALIDATION for too many keywords, or too long ones
 */
export const changeFlags = async (
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
  change: FlagsChange,
): Promise<ChangedFlags> => {
  const all: ChangedFlags = { messages: [], changed: [], modified: [] }
  for (let from = 0; from === 0 || from < uids.length; from += AT_ONCE) {
    const some = uids.slice(from, from + AT_ONCE)
    const part = await inFolder(app, who, at, async (on) => {
      const answer = await changeSome(on, some, change)
      return { answer, isChange: answer.changed.length > 0 }
    })
    for (const row of part.messages) all.messages.push(row)
    for (const row of part.changed) all.changed.push(row)
    for (const uid of part.modified) all.modified.push(uid)
  }
  return all
}

const changeSome = async (
  { tx, place }: Change,
  uids: readonly number[],
  { how, flags, unchangedSince }: FlagsChange,
): Promise<ChangedFlags> => {
  const rows = await flagsOf(tx, place, uids)
  const isModified = ({ modseq }: FlagsRow) => unchangedSince !== null && modseq > unchangedSince
  const free = rows.filter((row) => !isModified(row))
  // What is taken away needs no place among the keywords of the mailbox.
  const keywords =
    how === 'remove' || free.length === 0
      ? flags.keywords
      : await keepKeywords(tx, place, flags.keywords)
  const wanted = { how, flags: { ...flags, keywords } }
  const pairs = free.map((before) => ({ before, after: flagsAfter(before, wanted) }))
  const changes = pairs.filter(({ before, after }) => !isSame(before, after))
  const modseq = await writeChanges(tx, place.folderId, changes)
  const changed = changes.map(({ after }) => ({ ...after, modseq }))
  const now = new Map(changed.map((row) => [row.uid, row]))
  return {
    ...{ changed, messages: free.map((row) => now.get(row.uid) ?? row) },
    modified: rows.filter(isModified).map(({ uid }) => uid),
  }
}

type FlagsPair = { before: FlagsRow; after: FlagsRow }

/** @returns the modseq of the change; 0: there is none. */
export const writeChanges = async (
  tx: Db,
  folderId: string,
  changes: readonly FlagsPair[],
): Promise<number> => {
  if (changes.length === 0) return 0
  const unread = changes.reduce(
    (sum, { before, after }) => sum + Number(before.isRead) - Number(after.isRead),
    0,
  )
  const { modseq } = await touchFolder(tx, folderId, { messages: 0, unread, uids: 0 })
  await writeFlags(
    tx,
    changes.map(({ after }) => after),
    modseq,
  )
  return modseq
}

/** @throws VALIDATION when the message would have too many keywords */
export const flagsAfter = (
  before: FlagsRow,
  { how, flags }: Pick<FlagsChange, 'how' | 'flags'>,
): FlagsRow => {
  const after = { ...before, keywords: keywordsAfter(before.keywords, { how, flags }) }
  for (const flag of flagNames) {
    if (how === 'set') after[flag] = flags[flag]
    else if (flags[flag]) after[flag] = how === 'add'
  }
  return after
}

const keywordsAfter = (
  before: readonly string[],
  { how, flags }: Pick<FlagsChange, 'how' | 'flags'>,
): readonly string[] => {
  if (flags.keywords.length === 0) return how === 'set' ? [] : before
  const given = new Map(flags.keywords.map((keyword) => [keyword.toLowerCase(), keyword]))
  const isGiven = (keyword: string) => given.has(keyword.toLowerCase())
  if (how === 'remove') return before.filter((keyword) => !isGiven(keyword))
  const kept = before.filter(isGiven)
  for (const keyword of kept) given.delete(keyword.toLowerCase())
  const after = [...(how === 'set' ? kept : before), ...given.values()]
  if (after.length > MAX_KEYWORDS) throw tooManyOfMessage()
  return after
}

const isSame = (one: MessageFlags, other: MessageFlags): boolean =>
  flagNames.every((flag) => one[flag] === other[flag]) &&
  one.keywords.length === other.keywords.length &&
  one.keywords.every((keyword) => other.keywords.includes(keyword))
