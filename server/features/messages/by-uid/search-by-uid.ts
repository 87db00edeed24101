/**
 * SEARCH with IMAP's meaning: texts are found anywhere in words (RFC 9051 §6.4.4). Rows and stored texts decide what they can; bytes
 * are read only of messages for which they cannot (decision 097).
 */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { openTurnsOfEach } from '#server/lib/turns/turns.ts'
import { type Structured, structuresOf } from '../structures/structures.ts'
import type { FolderPlace } from '../structures/structures-store.ts'
import { isDecided, type Judgement } from './conditions-store.ts'
import type { Criteria, UidRange } from './criteria.ts'
import { type Answer, answerOf, conditionsOf, type Leaf } from './criteria-tree.ts'
import { type Candidate, candidates, uidsFound } from './found-store.ts'
import { type Budget, isTrueOf } from './in-bytes.ts'
import { type FolderAt, openPlace } from './in-folder.ts'
import { uidsIn } from './uid-store.ts'

/** Searches of a workspace at once: one may take a database connection for seconds, and all workspaces share them. */
const turns = openTurnsOfEach(2)

/** Messages of one statement that reads texts: others get their turn between two. */
const AT_ONCE = 4_000
const BYTES_AT_ONCE = 200
const READ_TOGETHER = 4
/** For words that are in no stored text, newest messages first. */
const MOST_READ: Budget = { messages: 5_000, bytes: 100_000_000 }

/** In order. `isStopped`: nobody waits any more. @throws NOT_EXISTS, FORBIDDEN, VALIDATION for too many conditions */
export const searchByUid = async (
  app: App,
  who: Who,
  at: FolderAt,
  criteria: Criteria,
  isStopped: () => boolean = () => false,
): Promise<number[]> => {
  const place = await openPlace(app, who, at)
  const leaves = conditionsOf(criteria)
  return turns.take(who.workspaceId, () => find(app, place, { criteria, leaves }, isStopped))
}

type Search = { criteria: Criteria; leaves: readonly Leaf[] }

const find = async (
  app: App,
  place: FolderPlace,
  given: Search,
  isStopped: () => boolean,
): Promise<number[]> => {
  const needsUids = given.leaves.some(isOfManyRanges)
  const isQuick = given.leaves.every(isDecided)
  const uids = needsUids || !isQuick ? await uidsIn(app.db, place) : new Uint32Array()
  const search = needsUids ? withUids(given.criteria, uids) : given
  if (isQuick) return uidsFound(app.db, place, search.criteria)
  const found: number[] = []
  const open: Candidate[] = []
  for (let from = 0; from < uids.length && !isStopped(); from += AT_ONCE) {
    const some = uids.subarray(from, from + AT_ONCE)
    const range = { first: some[0] ?? 0, last: some.at(-1) ?? 0 }
    for (const row of await candidates(app.db, place, search, range))
      if (row.isFound === null) open.push(row)
      else found.push(row.uid)
  }
  const budget = { ...MOST_READ }
  const reading = open.reverse()
  for (let from = 0; from < reading.length && !isStopped(); from += BYTES_AT_ONCE) {
    const some = reading.slice(from, from + BYTES_AT_ONCE)
    for (const uid of await foundInBytes(app, place, search, some, budget)) found.push(uid)
  }
  return found.sort((a, b) => a - b)
}

const isOfManyRanges = (leaf: Leaf): boolean => 'uids' in leaf && leaf.uids.length > 1

/** With one list of the uids that are there in place of many ranges. */
const withUids = (criteria: Criteria, uids: Uint32Array): Search => {
  const replaced = (each: Criteria): Criteria => {
    if ('all' in each) return { all: each.all.map(replaced) }
    if ('any' in each) return { any: each.any.map(replaced) }
    if ('not' in each) return { not: replaced(each.not) }
    return isOfManyRanges(each) && 'uids' in each ? { uids: listOf(each.uids, uids) } : each
  }
  const whole = replaced(criteria)
  return { criteria: whole, leaves: conditionsOf(whole) }
}

const listOf = (ranges: readonly UidRange[], uids: Uint32Array): UidRange[] => {
  const ordered = ranges.toSorted((a, b) => a.first - b.first)
  const list: UidRange[] = []
  let [next, last] = [0, 0]
  for (const uid of uids) {
    for (let range = ordered[next]; range && range.first <= uid; range = ordered[++next])
      last = Math.max(last, range.last)
    if (uid <= last) list.push({ first: uid, last: uid })
  }
  return list
}

const foundInBytes = async (
  app: App,
  place: FolderPlace,
  search: Search,
  open: readonly Candidate[],
  budget: Budget,
): Promise<number[]> => {
  const found: number[] = []
  const rows = new Map<number, Structured>()
  for await (const some of structuresOf(
    app,
    place,
    open.map(({ uid }) => uid),
  ))
    for (const row of some) rows.set(row.uid, row)
  const judge = async (candidate: Candidate): Promise<void> => {
    const row = rows.get(candidate.uid)
    if (row !== undefined && (await isFound(app, place, search, { candidate, row, budget })))
      found.push(candidate.uid)
  }
  for (let from = 0; from < open.length; from += READ_TOGETHER)
    await Promise.all(open.slice(from, from + READ_TOGETHER).map(judge))
  return found
}

/** Reads one condition after the other until the search is decided. A message whose bytes are lost is not found. */
const isFound = async (
  app: App,
  { workspaceId }: FolderPlace,
  { criteria, leaves }: Search,
  { candidate, row, budget }: { candidate: Candidate; row: Structured; budget: Budget },
): Promise<boolean> => {
  const judged = new Map(leaves.map((leaf, n) => [leaf, candidate.judged[n] ?? 'bytes']))
  const known = (leaf: Leaf): Answer => answers[judged.get(leaf) ?? 'bytes']
  const sought = { message: row, structure: row.structure, by: workspaceId }
  try {
    for (const leaf of leaves) {
      const answer = answerOf(criteria, known)
      if (answer !== null) return answer
      if (known(leaf) !== null) continue
      const isRest = judged.get(leaf) === 'rest'
      const isTrue = await isTrueOf(app, sought, leaf, { isRest, budget })
      judged.set(leaf, isTrue ? 'yes' : 'no')
    }
  } catch (error) {
    if (error instanceof BlobMissing) return false
    throw error
  }
  return answerOf(criteria, known) ?? false
}

const answers: Record<Judgement, Answer> = { no: false, yes: true, bytes: null, rest: null }
