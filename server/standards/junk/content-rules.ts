/** What the message says, leads to and carries. */
import { parse } from 'tldts'
import { type MailFacts, organisationOf, type Rule } from './junk-rule.ts'
import type { Link } from './mail-facts.ts'

const shorteners = new Set([
  ...['bit.ly', 'buff.ly', 'cutt.ly', 'goo.gl', 'is.gd', 'ow.ly', 'rb.gy', 'rebrand.ly'],
  ...['shorturl.at', 't.co', 't.ly', 'tiny.cc', 'tinyurl.com', 'v.gd'],
])

const program =
  /\.(?:bat|cmd|com|cpl|exe|hta|img|iso|jar|js|jse|lnk|msi|pif|ps1|reg|scr|vbe|vbs|wsf|wsh)$/i
const disguise = /\.(?:docx?|gif|jpe?g|pdf|png|pptx?|rtf|txt|xlsx?|zip)[\s_.]*\.[a-z0-9]{2,4}$/i
const webPage = /\.(?:html?|shtml|svg|xhtml)$/i

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
      // Newsletters count who presses what; those that can be verified may.
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
  // 'node.js' is a word; what ends in a real top-level domain is meant as a name.
  if (shown === '' || parse(shown).isIcann !== true) return false
  return organisationOf(shown) !== organisationOf(link.host)
}

/** Short ones and scripts without capitals do not count. */
const isShouted = (subject: string): boolean => {
  const letters = subject.match(/\p{L}/gu) ?? []
  const capitals = subject.match(/\p{Lu}/gu) ?? []
  return letters.length >= 10 && capitals.length === letters.length
}
