/** Folds the quotation at the end of a mail: the answered message with its attribution line. */

const MAX_ATTRIBUTION_LENGTH = 300
/** The quotation of a forwarded message is its content, so it stays open. */
const isForwarded = /forwarded message|weitergeleitete|message transféré|mensaje reenviado/i

export const QUOTE_LABEL = 'Quoted text'

export function foldQuotes(fragment: DocumentFragment): void {
  const quote = quoteAtEnd(fragment)
  const parent = quote?.parentNode
  if (!quote || !parent) return
  const attribution = attributionOf(quote)
  const own = lengthOf(fragment) - lengthOf(quote) - (attribution ? lengthOf(attribution) : 0)
  const isMore =
    own > 0 || fragment.querySelectorAll('img').length > quote.querySelectorAll('img').length
  const before = (fragment.textContent ?? '').slice(0, own + MAX_ATTRIBUTION_LENGTH)
  if (!isMore || isForwarded.test(before)) return
  const { ownerDocument } = fragment
  const details = ownerDocument.createElement('details')
  details.className = 'quote'
  const summary = ownerDocument.createElement('summary')
  summary.textContent = '•••'
  summary.setAttribute('aria-label', QUOTE_LABEL)
  summary.setAttribute('title', QUOTE_LABEL)
  parent.insertBefore(details, attribution ?? quote)
  details.append(summary, ...(attribution ? [attribution] : []), quote)
}

const lengthOf = ({ textContent }: Node): number => (textContent ?? '').replace(/\s+/g, '').length

const isEmpty = (node: Node): boolean =>
  node.nodeType === 8 ||
  (lengthOf(node) === 0 &&
    !(node as Element).querySelector?.('img, .remote-image, hr') &&
    (node as Element).localName !== 'img' &&
    (node as Element).localName !== 'hr')

const meaningful = (node: Node | null): Node | null => {
  let at = node
  while (at && isEmpty(at)) at = at.previousSibling
  return at
}

const containers = new Set(['div', 'p', 'section', 'article', 'main', 'center', 'span', 'font'])

function quoteAtEnd(fragment: DocumentFragment): Element | null {
  let at = meaningful(fragment.lastChild)
  while (at?.nodeType === 1) {
    const element = at as Element
    if (element.localName === 'blockquote') return element
    if (!containers.has(element.localName)) return null
    at = meaningful(element.lastChild)
  }
  return null
}

/** Finds the line before the quotation: 'On Monday, Grace wrote:'. */
function attributionOf(quote: Element): ChildNode | null {
  const before = meaningful(quote.previousSibling) as ChildNode | null
  const text = before?.textContent?.trim() ?? ''
  return /[:：]$/.test(text) && text.length <= MAX_ATTRIBUTION_LENGTH ? before : null
}
