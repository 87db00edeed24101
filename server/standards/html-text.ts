/** HTML as text: for lists, search, and the plain half of what is written. */
import { compile } from 'html-to-text'

const MAX_CHARACTERS = 1_000_000
/** Above it a parser that closes what is open looks at thousands of elements for every tag. */
const MAX_OPEN = 5_000

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: '…' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
  ],
})

export const textOfHtml = (html: string): string => read(html, convert)

const title = { options: { uppercase: false } }
const convertWritten = compile({
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: '…' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...title })),
  ],
})

/** The plain text that goes with HTML that was written here: quotations behind '>', links as people type them. */
export const twinOfHtml = (html: string): string =>
  // An empty line is one, not the end of one block and a line and the end of another.
  read(html.replaceAll('<div><br></div>', '<br>'), convertWritten)

const read = (html: string, by: (html: string) => string): string => {
  const readable = html.slice(0, MAX_CHARACTERS)
  if (readable === '') return ''
  return opensTooMany(readable) ? betweenTags(readable) : by(readable)
}

/** They need no end, or have none. */
const endless =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|d[dt]|t[dhr]|option)\b/i

const opensTooMany = (html: string): boolean => {
  let open = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const name = html.slice(at + 1, at + 9)
    if (name.startsWith('/')) open = Math.max(0, open - 1)
    else if (/^[a-z]/i.test(name) && !endless.test(name)) open += 1
    if (open > MAX_OPEN) return true
  }
  return false
}

/** Nobody wrote it to be read: what stands outside of tags, as it is. */
const betweenTags = (html: string): string => {
  const pieces: string[] = []
  for (let at = 0; at >= 0 && at < html.length; ) {
    const start = html.indexOf('<', at)
    pieces.push(start < 0 ? html.slice(at) : html.slice(at, start))
    const end = start < 0 ? -1 : html.indexOf('>', start)
    at = end < 0 ? -1 : end + 1
  }
  return pieces.join(' ').replace(/\s+/g, ' ').trim()
}
