/**
 * The conditions of a search as SQL (RFC 9051 §6.4.4): true, false, or null where only the bytes of the message can tell. PostgreSQL
 * joins the three by AND, OR and NOT as it should be.
 */
import { type RawBuilder, sql } from 'kysely'
import { contains, isInPeople, isInSubject } from './contains-store.ts'
import type { UidRange } from './criteria.ts'
import type { Leaf } from './criteria-tree.ts'

export type Condition = RawBuilder<boolean>

const unknown = sql<boolean>`null::boolean`

/** What a row tells of a condition. `bytes` and `rest`: which texts of the message have to be read, all or those that are not stored. */
export const judgements = ['no', 'yes', 'bytes', 'rest'] as const
export type Judgement = (typeof judgements)[number]

/** The place in `judgements`. */
export const judgementOf = (leaf: Leaf): RawBuilder<number> =>
  isOfText(leaf) && 'in' in leaf && leaf.in === 'body'
    ? judgementOfBody(leaf.contains)
    : sql<number>`coalesce((${conditionOf(leaf)})::int, 2)`

/** Whether it reads the text of a message, which takes longer than all other columns together. */
export const isOfText = (leaf: Leaf): boolean => 'in' in leaf && leaf.contains !== ''

/** Whether rows alone decide it for every message. */
export const isDecided = (leaf: Leaf): boolean =>
  !('in' in leaf) &&
  !('date' in leaf && leaf.date === 'sent') &&
  !('header' in leaf && conditionOfHeader(leaf) === unknown)

const flagColumns = {
  ...{ isRead: 'is_read', isStarred: 'is_starred', isAnswered: 'is_answered' },
  ...{ isDraft: 'is_draft', isDeleted: 'is_deleted' },
} as const

/** Of the message `m`. */
export const conditionOf = (leaf: Leaf): Condition => {
  if ('flag' in leaf) return sql<boolean>`m.${sql.id(flagColumns[leaf.flag])}`
  if ('keyword' in leaf)
    return sql<boolean>`exists (select from unnest(m.keywords) as k where lower(k) = ${leaf.keyword.toLowerCase()})`
  if ('uids' in leaf) return isInRanges(leaf.uids)
  if ('date' in leaf) return leaf.date === 'sent' ? isSentThen(leaf) : isThen(leaf)
  if ('largerThan' in leaf) return sql<boolean>`m.size_bytes > ${leaf.largerThan}::bigint`
  if ('smallerThan' in leaf) return sql<boolean>`m.size_bytes < ${leaf.smallerThan}::bigint`
  if ('modseq' in leaf) return sql<boolean>`m.modseq >= ${leaf.modseq}::bigint`
  if ('messageId' in leaf) return sql<boolean>`m.id::text = ${leaf.messageId.toLowerCase()}`
  if ('threadId' in leaf) return sql<boolean>`m.thread_id::text = ${leaf.threadId.toLowerCase()}`
  if ('header' in leaf) return conditionOfHeader(leaf)
  // A text in the body is judged by `judgementOfBody`.
  return leaf.in === 'text' ? isInText(leaf.contains) : sql<boolean>`true`
}

/** Of what a search of many ranges means, `searchByUid` makes one list of uids. */
const isInRanges = (ranges: readonly UidRange[]): Condition => {
  const [only] = ranges
  if (only === undefined) return sql<boolean>`false`
  if (ranges.length === 1)
    return sql<boolean>`m.uid between ${only.first}::bigint and ${only.last}::bigint`
  return sql<boolean>`m.uid = any(${ranges.map(({ first }) => first)}::bigint[])`
}

type DateLeaf = Extract<Leaf, { date: string }>

const isThen = (leaf: DateLeaf): Condition => {
  const column = leaf.date === 'saved' ? sql`coalesce(m.saved_at, m.date)` : sql`m.date`
  return 'from' in leaf
    ? sql<boolean>`${column} >= ${leaf.from}`
    : sql<boolean>`${column} < ${leaf.before}`
}

const months = 'janfebmaraprmayjunjulaugsepoctnovdec'
/** Day, month and year of the field Date, whatever its time and zone. */
export const NAMED_DAY =
  '(\\d{1,2})\\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\s+(\\d{4})'

/** 20261127, so that no date has to be one that exists. */
export const dayNumber = (date: Date): number =>
  date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()

/** By the envelope, which is the first part of a stored structure. A message without the field is never found. */
const isSentThen = (leaf: DateLeaf): Condition => {
  const asked =
    'from' in leaf
      ? sql`day.number >= ${dayNumber(leaf.from)}::int`
      : sql`day.number < ${dayNumber(leaf.before)}::int`
  return sql<boolean>`(
    select coalesce(${asked}, false) from (
      select named[3]::int * 10000 + (strpos(${months}, lower(named[2])) + 2) / 3 * 100 + named[1]::int as number
      from (
        select regexp_match(substring(split_part(s.structure, ',"part":', 1) from '"date":"([^"]*)"'), ${NAMED_DAY}, 'i') as named
        from message_structures s where s.mailbox_id = m.mailbox_id and s.message_id = m.id
      ) as field
    ) as day)`
}

type HeaderLeaf = Extract<Leaf, { header: string }>

const conditionOfHeader = ({ header, contains: text }: HeaderLeaf): Condition => {
  if (header === 'subject') return isInSubject(text)
  if (header === 'from' || header === 'to' || header === 'cc' || header === 'bcc')
    return isInPeople(header, text)
  if (header === 'message-id')
    return text === ''
      ? sql<boolean>`m.message_id <> ''`
      : contains(sql`('<' || m.message_id || '>')`, text.trim())
  return unknown
}

/** Longer texts are cut before they are stored, and pieces of 500 letters without a space are left out. */
const CUT_LENGTH = 190_000
const LONGEST_WORD = 400

/** Scripts without spaces: their texts may be missing in what is stored. */
export const isUnspaced = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    text,
  )

const inStoredText = (text: string): Condition => contains(sql`m.search_text`, text)

/** The stored text has subject, people, names of files and text; other fields of the header stand in the bytes alone. */
const isInText = (text: string): Condition =>
  text === ''
    ? sql<boolean>`true`
    : sql<boolean>`case when ${inStoredText(text)} then true else null end`

/**
 * Not in the stored text: not in the body either, unless the text was cut or an attachment may be a text. In it, but in the subject or
 * with the people, too: the body has to be read.
 */
const judgementOfBody = (text: string): RawBuilder<number> => {
  const isLong = isUnspaced(text) || text.split(/\s/).some((word) => word.length > LONGEST_WORD)
  const head = sql`(m.subject || ' ' || coalesce(m."from"::text, '') || m."to"::text || m.cc::text)`
  return sql<number>`case
    when ${inStoredText(text)} then case when m.has_attachments or ${contains(head, text)} then 2 else 1 end
    when ${isLong} or length(m.search_text) >= ${CUT_LENGTH}::int
      or exists (select from messages_read_in_part r where r.message_id = m.id) then 2
    when m.has_attachments then 3 else 0 end`
}
