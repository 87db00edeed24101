/** What a message leads to and carries, as far as it matters for whether it is wanted. Bounded, whatever is in it. */
import type { Email } from 'postal-mime'
import { textOfHtml } from '../html-text.ts'
import type { HeaderLine } from '../message-lines.ts'

export type Link = {
  /** As it is shown; '' for an address in plain text. */
  text: string
  /** Lower case. */
  host: string
}

export type ContentFacts = {
  links: Link[]
  attachmentNames: string[]
  /** The mark by which filters are tried (GTUBE). */
  hasTestMark: boolean
}

const MAX_LINKS = 100
const MAX_NAMES = 50
const MAX_READ = 200_000
/** Of one tag, and of what is shown of one link. */
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

/** By searching, not by parsing: what matters is what a reader can press. */
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

/** What the header of a message says about how it was made. */
export type HeaderFacts = {
  /** Domains that an answer would go to. */
  replyDomains: string[]
  hasMessageId: boolean
  /** null: none, or none that can be read. */
  date: Date | null
  /** It says which message it answers. */
  isAnswer: boolean
  /** From a list or to many, and says so. */
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
