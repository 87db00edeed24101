/** The original message below a reply. It is kept apart from the editor, which would simplify its HTML. */
import type { Message } from '#contract/messages.ts'
import { formatMoment } from '#web/lib/format.ts'
import { type FrameWindow, openFrameWindow } from '#web/mail-content/frame-window.ts'
import { sanitisedHtml } from '#web/mail-content/sanitise-mail.ts'
import { formatPerson } from './recipients/people.ts'

const CLASS = 'mailstead-quote'

const escaped = (text: string): string => {
  const holder = document.createElement('div')
  holder.textContent = text
  return holder.innerHTML
}

const contentOf = async (message: Message, images: ReadonlyMap<string, string>): Promise<string> =>
  message.html === null
    ? `<div style="white-space: pre-wrap">${escaped(message.text)}</div>`
    : sanitisedHtml(message.html, await openFrameWindow(), { images })

export async function replyQuotation(
  message: Message,
  images: ReadonlyMap<string, string>,
): Promise<string> {
  const who = message.from ? formatPerson(message.from) : 'someone'
  const line = escaped(`On ${formatMoment(message.date)}, ${who} wrote:`)
  return `<div>${line}</div><blockquote type="cite" style="${QUOTE_STYLE}">${await contentOf(message, images)}</blockquote>`
}

export const QUOTE_STYLE = 'margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex'

const parse = (html: string, frameWindow: FrameWindow): HTMLElement =>
  new frameWindow.DOMParser().parseFromString(`<body>${html}`, 'text/html').body

/**
 * Converts the HTML of the editor for a mail. Other programs give paragraphs a margin and empty ones no height, so each line
 * becomes a `div`, as in most mail, and an empty one contains a line break.
 */
export async function forMail(html: string): Promise<string> {
  if (html === '') return ''
  const body = parse(html, await openFrameWindow())
  for (const line of body.querySelectorAll(':is(p, h1, h2, h3, h4, h5, h6)[align]'))
    alignByStyle(line)
  for (const paragraph of body.querySelectorAll('li > p:only-of-type')) unwrap(paragraph)
  for (const paragraph of body.querySelectorAll(ONLY_IN_CELL)) unwrap(paragraph)
  for (const paragraph of body.querySelectorAll('p')) {
    const line = renamed(paragraph, 'div')
    if (line.innerHTML === '') line.innerHTML = '<br>'
  }
  for (const table of body.querySelectorAll('table')) tableForMail(table)
  for (const quote of body.querySelectorAll('blockquote')) quote.setAttribute('style', QUOTE_STYLE)
  for (const link of body.querySelectorAll('a'))
    for (const name of ['class', 'rel', 'target']) link.removeAttribute(name)
  for (const image of body.querySelectorAll('img')) image.setAttribute('style', 'max-width:100%')
  return body.innerHTML
}

/** The editor writes the attribute of what it opened, and the style of what was changed. */
function alignByStyle(line: Element): void {
  line.setAttribute('style', `text-align: ${line.getAttribute('align')}`)
  line.removeAttribute('align')
}

const ONLY_IN_CELL = ':is(td, th) > p:only-child:not([style])'
const CELL_STYLE = 'border:1px solid #bbb;padding:4px 8px;vertical-align:top'

/** Mail programs know no style sheet: each cell says its border itself. */
function tableForMail(table: HTMLTableElement): void {
  for (const columns of table.querySelectorAll('colgroup')) columns.remove()
  table.setAttribute('style', 'border-collapse:collapse;margin:4px 0')
  for (const cell of table.querySelectorAll('td, th')) {
    const isHead = cell.localName === 'th'
    cell.setAttribute('style', isHead ? `${CELL_STYLE};text-align:left` : CELL_STYLE)
    for (const name of ['colspan', 'rowspan', 'colwidth'])
      if (cell.getAttribute(name) === '1' || name === 'colwidth') cell.removeAttribute(name)
  }
}

/** Converts the sanitised HTML of a draft for the editor: lines become paragraphs again. */
export function forEditor(html: string, frameWindow: FrameWindow): string {
  const body = parse(html, frameWindow)
  for (const line of body.querySelectorAll('div')) {
    if (line.querySelector('div, p, ul, ol, blockquote, table')) continue
    const paragraph = renamed(line, 'p')
    if (paragraph.innerHTML === '<br>') paragraph.innerHTML = ''
  }
  return body.innerHTML
}

function renamed(element: Element, name: string): Element {
  const other = element.ownerDocument.createElement(name)
  for (const { name: key, value } of element.attributes) other.setAttribute(key, value)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

const unwrap = (element: Element): void => element.replaceWith(...element.childNodes)

export async function forwardQuotation(
  message: Message,
  images: ReadonlyMap<string, string>,
): Promise<string> {
  const lines = [
    '---------- Forwarded message ----------',
    `From: ${message.from ? formatPerson(message.from) : ''}`,
    `Date: ${formatMoment(message.date)}`,
    `Subject: ${message.subject}`,
    `To: ${message.to.map(formatPerson).join(', ')}`,
    ...(message.cc.length > 0 ? [`Cc: ${message.cc.map(formatPerson).join(', ')}`] : []),
  ]
  return `<div>${lines.map(escaped).join('<br>')}</div><br>${await contentOf(message, images)}`
}

const EMPTY_LINE = '<div><br></div>'

export const withQuotation = (body: string, quotation: string): string =>
  quotation === '' ? body : `${body}${EMPTY_LINE}<div class="${CLASS}">${quotation}</div>`

/** For a letter without formatting: pictures have no text. */
export async function withoutPictures(quotation: string): Promise<string> {
  if (quotation === '') return ''
  const body = parse(quotation, await openFrameWindow())
  for (const image of body.querySelectorAll('img')) image.remove()
  return body.innerHTML
}

export type Written = { body: string; quotation: string }

/** Splits a draft into text and quotation. Parsed in a frame without scripts, so that nothing loads or runs. */
export async function withoutQuotation(
  html: string,
  images: ReadonlyMap<string, string>,
): Promise<Written> {
  const frameWindow = await openFrameWindow()
  const parsed = new frameWindow.DOMParser().parseFromString(html, 'text/html')
  const last = parsed.body.lastElementChild
  const quoted = last?.classList.contains(CLASS) ? last : null
  quoted?.remove()
  if (quoted && parsed.body.lastElementChild?.outerHTML === EMPTY_LINE)
    parsed.body.lastElementChild.remove()
  return {
    body: forEditor(
      sanitisedHtml(parsed.body.innerHTML, frameWindow, { images, isForEditor: true }),
      frameWindow,
    ),
    quotation: quoted ? sanitisedHtml(quoted.innerHTML, frameWindow, { images }) : '',
  }
}

export const editableHtml = async (html: string): Promise<string> =>
  html === '' ? '' : sanitisedHtml(html, await openFrameWindow(), { isForEditor: true })
