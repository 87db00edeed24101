/** Converts HTML to plain text: for lists, for search, and for the text/plain part of written mail. */
import { compile, type DomNode, type FormatCallback } from 'html-to-text'

/** What is beyond is not read. */
export const MAX_CHARACTERS = 1_000_000
/** With more open elements, a parser that closes open elements visits thousands of them for every tag. */
const MAX_OPEN = 5_000

/** The declared type leaves `prev` out. */
type Sibling = DomNode & { prev?: Sibling | null }

/** A cell after another one in its row begins with this, so that their words stay apart. */
const cellAfter =
  (divider: string): FormatCallback =>
  (element, walk, builder) => {
    let { prev: before } = element as Sibling
    while (before && before.type !== 'tag') before = before.prev
    if (before) builder.addLiteral(divider)
    walk(onlyBlockIn(element).children, builder)
  }

/** The block that is all of a cell would begin a line of its own. */
function onlyBlockIn(cell: DomNode): DomNode {
  let within = cell
  for (;;) {
    const filled = within.children.filter(({ type, data }) => type === 'tag' || data?.trim())
    const [only] = filled
    if (filled.length !== 1 || (only?.name !== 'div' && only?.name !== 'p')) return within
    within = only
  }
}

/** As where it is read: what is written on a button is left out, but for a button that is a link. */
const button: FormatCallback = (element, walk, builder) => {
  if (isInLink(element) || holdsLink(element)) walk(element.children, builder)
}

const isLink = ({ name, attribs }: DomNode): boolean => name === 'a' && attribs?.href !== undefined

const isInLink = (element: DomNode): boolean => {
  for (let at = element.parent; at; at = at.parent) if (isLink(at)) return true
  return false
}

/** Deeper than this nobody puts one. */
const MAX_DEPTH = 20

const holdsLink = (element: DomNode, depth = 0): boolean =>
  depth < MAX_DEPTH &&
  (element.children ?? []).some((child) => isLink(child) || holdsLink(child, depth + 1))

const withoutForms = [
  { selector: 'button', format: 'button' },
  ...['select', 'textarea', 'datalist'].map((selector) => ({ selector, format: 'skip' })),
]

/** Rows are lines. */
const tables = [
  ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
  ...['tr', 'caption'].map((selector) => ({
    selector,
    format: 'block',
    options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
  })),
]

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: '…' },
  formatters: { cell: cellAfter(' '), button },
  selectors: [
    ...tables,
    ...withoutForms,
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
  ],
})

export const textOfHtml = (html: string): string => read(html, convert)

const title = { options: { uppercase: false } }
const convertWritten = compile({
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: '…' },
  formatters: { cell: cellAfter(' | ') },
  selectors: [
    ...tables,
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
    // As the browser quotes a plain text: its lines stay lines.
    ...['white-space: pre-wrap', 'white-space:pre-wrap'].map((style) => ({
      selector: `div[style*="${style}"]`,
      format: 'pre',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...title })),
  ],
})

/** The text/plain alternative of HTML that was written here: quotations with '>', links as plain URLs. */
export const twinOfHtml = (html: string): string =>
  // Counts as one empty line, not as the end of two blocks.
  read(html.replaceAll('<div><br></div>', '<br>'), convertWritten)

const read = (html: string, convertHtml: (html: string) => string): string => {
  const readable = html.slice(0, MAX_CHARACTERS)
  if (readable === '') return ''
  return opensTooMany(readable) ? betweenTags(readable) : convertHtml(readable)
}

/** Elements without a required end tag. */
const withoutEndTag =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|d[dt]|t[dhr]|option)\b/i

const opensTooMany = (html: string): boolean => {
  let open = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const name = html.slice(at + 1, at + 9)
    if (name.startsWith('/')) open = Math.max(0, open - 1)
    else if (/^[a-z]/i.test(name) && !withoutEndTag.test(name)) open += 1
    if (open > MAX_OPEN) return true
  }
  return false
}

/** Begin and end a line. */
const blockTag =
  /^\/?(?:address|article|blockquote|br|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|section|t(?:able|r)|ul)\b/i

/** The text between the tags, for HTML that nests too deep to convert: hardly any but hostile HTML does. Its lines stay lines. */
const betweenTags = (html: string): string => {
  const pieces: string[] = []
  for (let at = 0; at >= 0 && at < html.length; ) {
    const start = html.indexOf('<', at)
    pieces.push((start < 0 ? html.slice(at) : html.slice(at, start)).replace(/\s+/g, ' '))
    const end = start < 0 ? -1 : html.indexOf('>', start)
    pieces.push(blockTag.test(html.slice(start + 1, start + 12)) ? '\n' : ' ')
    at = end < 0 ? -1 : end + 1
  }
  return pieces
    .join('')
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}
