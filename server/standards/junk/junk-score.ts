/** From facts to a verdict that can be read: every reason with its points; at JUNK_AT and above it is junk. */
import { domainOf } from '../address.ts'
import { contentRules } from './content-rules.ts'
import type { Likeness } from './junk-model.ts'
import type { MailFacts } from './junk-rule.ts'
import { senderRules } from './sender-rules.ts'

export type Reason = { text: string; points: number }
export type Score = { score: number; isJunk: boolean; reasons: Reason[] }

export const JUNK_AT = 5
const OWN_NAME_POINTS = 1.5
const MAX_TEXT = 300

const rules = [...senderRules, ...contentRules]

/** The same for every recipient. */
export const reasonsOf = (facts: MailFacts): Reason[] =>
  rules.flatMap(({ points, finds }) => {
    const text = finds(facts)
    return text === null ? [] : [{ text: printable(text), points }]
  })

/** Quotes of strangers: one line that PostgreSQL takes. */
const printable = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()

/** Of mail that says it comes from the recipient's own domain and failed DMARC there. */
export const ownNameReason = (facts: MailFacts, ownDomain: string): Reason[] =>
  facts.checks.dmarc === 'fail' && domainOf(facts.from?.address ?? '') === ownDomain
    ? [{ text: 'It says that it comes from your own domain', points: OWN_NAME_POINTS }]
    : []

/** What the mailbox has learnt says alone whether a message is junk, when it is sure. */
export const learntReason = ({ probability, words }: Likeness): Reason[] => {
  const [points, text] =
    probability >= 0.95
      ? [JUNK_AT, 'It is very like what you marked as junk']
      : probability >= 0.85
        ? [2.5, 'It is like what you marked as junk']
        : probability <= 0.05
          ? [-2.5, 'It is very like mail that you keep']
          : probability <= 0.15
            ? [-1, 'It is like mail that you keep']
            : [0, '']
  if (points === 0) return []
  const named = words.length === 0 ? '' : ` (${words.map((word) => `“${word}”`).join(', ')})`
  return [{ text: `${text}${named}`, points }]
}

/** What a domain asks for by DMARC stands, whatever was learnt. */
export const scoreOf = (reasons: readonly Reason[], isQuarantined: boolean): Score => {
  const total = reasons.reduce((sum, { points }) => sum + points, 0)
  const score = Math.round(total * 10) / 10
  return {
    score,
    isJunk: isQuarantined || score >= JUNK_AT,
    reasons: reasons.toSorted((a, b) => b.points - a.points),
  }
}
