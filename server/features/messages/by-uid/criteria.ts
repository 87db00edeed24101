/** What a search by mail programs asks for (RFC 9051 §6.4.4). `Leaf`: further conditions, which the caller resolves. */
import type { MessageFlags } from './message-flags.ts'

/** Inclusive. */
export type UidRange = { first: number; last: number }

export type Criteria<Leaf = never> =
  | { all: readonly Criteria<Leaf>[] }
  | { any: readonly Criteria<Leaf>[] }
  | { not: Criteria<Leaf> }
  | { flag: Exclude<keyof MessageFlags, 'keywords'> }
  | { keyword: string }
  | { uids: readonly UidRange[] }
  /** `internal`: of arrival; `sent`: of the header; `saved`: into this folder. From a time on, or before it. */
  | { date: 'internal' | 'sent' | 'saved'; from: Date }
  | { date: 'internal' | 'sent' | 'saved'; before: Date }
  | { largerThan: number }
  | { smallerThan: number }
  /** A field of the header whose text contains this; '': that is there. `header`: lower case. */
  | { header: string; contains: string }
  /** `text`: header and body. */
  | { in: 'body' | 'text'; contains: string }
  /** Changed by this modseq or later. */
  | { modseq: number }
  | { messageId: string }
  | { threadId: string }
  | Leaf
