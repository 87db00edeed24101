/** The links and attachments of a message that matter for junk filtering. All sizes are limited. */
import type { Email } from 'postal-mime'
import { textOfHtml } from '../html-text.ts'
import type { HeaderLine } from '../message-lines.ts'

export type Link = {
  /** The visible text; '' for a URL in plain text. */
  text: string
  /** Lower case. */
  host: string
}

export type ContentFacts = {
  links: Link[]
  attachmentNames: string[]
  /** The message contains the GTUBE test string. */
  hasTestMark: boolean
}

const MAX_LINKS = 100
const MAX_NAMES = 50
const MAX_READ = 200_000
/** Characters of one tag, and of one link's visible text. */
const MAX_TAG = 2_000

const testMark = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'

export const contentFactsOf = (email: Email): ContentFacts => {
  const text = (email.text ?? '').slice(0, MAX_READ)
  const html = (email.html ?? '').slice(0, MAX_READ)
  return {
    links: [...linksOfHtml(html), ...linksOfText(text)].slice(0, MAX_LINKS),
    attachmentNames: email.attachments
      .slice(0, MAX_NAMES)
      .map(({ filename }) => (filename ?? '').toWellFormed().slice(-200))
      .filter((name) => name !== ''),
    hasTestMark: text.includes(testMark) || html.includes(testMark),
  }
}

const linksOfText = (text: string): Link[] => {
  const links: Link[] = []
  for (const [url] of text.matchAll(/https?:\/\/[^\s<>"')\]]{1,300}/gi)) {
    const host = hostOf(url)
    if (host !== '') links.push({ text: '', host })
    if (links.length === MAX_LINKS) break
  }
  return links
}

/** Searches instead of parsing: only what a reader can click matters. */
const linksOfHtml = (html: string): Link[] => {
  const links: Link[] = []
  const anchor = /<a\s/gi
  for (let tries = 0; tries < MAX_LINKS; tries++) {
    const start = anchor.exec(html)?.index
    if (start === undefined) break
    const near = html.slice(start, start + MAX_TAG)
    const tag = /^<a\s[^>]*>/i.exec(near)?.[0]
    if (tag === undefined) continue
    const [, quoted, single, bare] =
      /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag) ?? []
    const host = hostOf((quoted ?? single ?? bare ?? '').trim())
    const inside = near.slice(tag.length)
    const end = inside.search(/<\/a\b/i)
    const shown = inside.slice(0, end === -1 ? 200 : end).replace(/<[^>]*>/g, ' ')
    const text = shown.includes('&') ? textOfHtml(shown) : shown
    if (host !== '') links.push({ text: text.trim().slice(0, 200), host })
  }
  return links
}

const hostOf = (href: string): string => {
  const url = URL.parse(href.replaceAll('&amp;', '&'))
  return url !== null && /^https?:$/.test(url.protocol) ? url.hostname.toLowerCase() : ''
}

/** What the header of a message says about its origin. */
export type HeaderFacts = {
  /** Domains in Reply-To. */
  replyDomains: string[]
  hasMessageId: boolean
  /** null: missing or invalid. */
  date: Date | null
  /** It has In-Reply-To or References. */
  isAnswer: boolean
  /** It has list header fields. */
  isBulk: boolean
}

const MOST_OF_HEADER = 2_000

export const headerFactsOf = (headers: readonly HeaderLine[]): HeaderFacts => {
  const has = (...names: string[]) => headers.some(({ name }) => names.includes(name))
  const date = new Date(fieldOf(headers, 'date').replace(/\([^)]*\)/g, ''))
  return {
    replyDomains: [...fieldOf(headers, 'reply-to').matchAll(/@([a-z0-9.-]+)/gi)].map(
      ([, domain = '']) => domain.toLowerCase(),
    ),
    hasMessageId: has('message-id'),
    date: Number.isNaN(date.getTime()) ? null : date,
    isAnswer: has('in-reply-to', 'references'),
    isBulk: has('list-unsubscribe', 'list-id'),
  }
}

const fieldOf = (headers: readonly HeaderLine[], wanted: string): string => {
  const line = headers.find(({ name }) => name === wanted)?.line ?? ''
  return line
    .slice(line.indexOf(':') + 1)
    .slice(0, MOST_OF_HEADER)
    .replaceAll('\r\n', '')
}
