/** Turns facts into a score with readable reasons; JUNK_AT or more is junk. */

import { parse } from 'tldts'
import { oneLine } from '#server/lib/plain-text.ts'
import { domainOf } from '../address.ts'
import type { Likeness } from './junk-model.ts'
import { type MailFacts, organisationOf, type Rule } from './junk-rule.ts'
import type { Link } from './mail-facts.ts'
import { senderRules } from './sender-rules.ts'

export type Reason = { text: string; points: number }
export type Score = { score: number; isJunk: boolean; reasons: Reason[] }

export const JUNK_AT = 5
const OWN_NAME_POINTS = 1.5
const MAX_TEXT = 300

const shorteners = new Set([
  ...['bit.ly', 'buff.ly', 'cutt.ly', 'goo.gl', 'is.gd', 'ow.ly', 'rb.gy', 'rebrand.ly'],
  ...['shorturl.at', 't.co', 't.ly', 'tiny.cc', 'tinyurl.com', 'v.gd'],
])

const program =
  /\.(?:bat|cmd|com|cpl|exe|hta|img|iso|jar|js|jse|lnk|msi|pif|ps1|reg|scr|vbe|vbs|wsf|wsh)$/i
const disguise = /\.(?:docx?|gif|jpe?g|pdf|png|pptx?|rtf|txt|xlsx?|zip)[\s_.]*\.[a-z0-9]{2,4}$/i
const webPage = /\.(?:html?|shtml|svg|xhtml)$/i

/** Rules about the text, the links and the attachments of a message. */
export const contentRules: readonly Rule[] = [
  {
    name: 'test-mark',
    points: 100,
    finds: ({ content }) =>
      content.hasTestMark ? 'It carries the mark that filters are tried with (GTUBE)' : null,
  },
  {
    name: 'disguised-program',
    points: 6,
    finds: ({ content }) => {
      const name = content.attachmentNames.find((each) => program.test(each) && disguise.test(each))
      return name ? `The attachment “${name}” is a program that passes for a document` : null
    },
  },
  {
    name: 'program',
    points: 3,
    finds: ({ content }) => {
      const name = content.attachmentNames.find(
        (each) => program.test(each) && !disguise.test(each),
      )
      return name ? `The attachment “${name}” is a program` : null
    },
  },
  {
    name: 'attached-page',
    points: 1.5,
    finds: ({ content }) => {
      const name = content.attachmentNames.find((each) => webPage.test(each))
      return name ? `The attachment “${name}” is a web page, as used to ask for passwords` : null
    },
  },
  {
    name: 'disguised-link',
    points: 2.5,
    finds: (facts) => {
      // Newsletters track clicks through other hosts; that is allowed when DMARC passes.
      if (facts.header.isBulk && facts.checks.dmarc === 'pass') return null
      const link = facts.content.links.find(isDisguised)
      return link ? `A link shows ${shownHost(link)} and leads to ${link.host}` : null
    },
  },
  {
    name: 'numeric-link',
    points: 2,
    finds: ({ content }) => {
      const link = content.links.find(({ host }) => /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(host))
      return link ? `A link leads to a server without a name, ${link.host}` : null
    },
  },
  {
    name: 'short-link',
    points: 1,
    finds: ({ content }) => {
      const link = content.links.find(({ host }) => shorteners.has(host))
      return link ? `A link hides behind ${link.host} where it leads` : null
    },
  },
  {
    name: 'capitals',
    points: 1,
    finds: ({ subject }) => (isShouted(subject) ? 'Its subject is all in capitals' : null),
  },
  {
    name: 'false-answer',
    points: 1,
    finds: ({ subject, header }: MailFacts) =>
      /^\s*re:/i.test(subject) && !header.isAnswer
        ? 'It calls itself an answer, and answers nothing'
        : null,
  },
]

const shownHost = ({ text }: Link): string =>
  /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?=$|[/?#:\s])/i
    .exec(text)?.[1]
    ?.toLowerCase() ?? ''

const isDisguised = (link: Link): boolean => {
  const shown = shownHost(link)
  // 'node.js' is a word; a text counts as a host name only when its top-level domain exists.
  if (shown === '' || parse(shown).isIcann !== true) return false
  return organisationOf(shown) !== organisationOf(link.host)
}

/** Ignores short subjects and scripts without capitals. */
const isShouted = (subject: string): boolean => {
  const letters = subject.match(/\p{L}/gu) ?? []
  const capitals = subject.match(/\p{Lu}/gu) ?? []
  return letters.length >= 10 && capitals.length === letters.length
}

const rules = [...senderRules, ...contentRules]

/** Reasons that are the same for every recipient. */
export const reasonsOf = (facts: MailFacts): Reason[] =>
  rules.flatMap(({ points, finds }) => {
    const text = finds(facts)
    return text === null ? [] : [{ text: oneLine(text, MAX_TEXT), points }]
  })

/** For mail that claims to come from the recipient's own domain and fails DMARC. */
export const ownNameReason = (facts: MailFacts, ownDomain: string): Reason[] =>
  facts.checks.dmarc === 'fail' && domainOf(facts.from?.address ?? '') === ownDomain
    ? [{ text: 'It says that it comes from your own domain', points: OWN_NAME_POINTS }]
    : []

/** A confident model decides alone whether a message is junk. */
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

/** A quarantine policy of the sender's domain overrides what the mailbox has learnt, and what an operator allows overrides both. */
export const scoreOf = (
  found: readonly Reason[],
  { isQuarantined, allowedAs }: Pick<MailFacts, 'isQuarantined' | 'allowedAs'>,
): Score => {
  const reasons = allowedAs === null ? found : [...found, allowedReason(allowedAs)]
  const total = reasons.reduce((sum, { points }) => sum + points, 0)
  const score = Math.round(total * 10) / 10
  return {
    score,
    isJunk: allowedAs === null && (isQuarantined || score >= JUNK_AT),
    reasons: reasons.toSorted((a, b) => b.points - a.points),
  }
}

const allowedReason = (allowedAs: string): Reason => ({
  text: `The operator of this installation allows mail from ${allowedAs}`,
  points: 0,
})
