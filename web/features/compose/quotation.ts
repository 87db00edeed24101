/** The original below an answer, kept apart from what one writes so that the editor does not flatten it. */
import type { Message } from '#contract/messages.ts'
import { formatMoment } from '#web/lib/format.ts'
import { openRoom, type Room } from '#web/mail-content/safe-room.ts'
import { sanitisedHtml } from '#web/mail-content/sanitise-mail.ts'
import { formatPerson } from './people.ts'

const CLASS = 'mailstead-quote'

const escaped = (text: string): string => {
  const holder = document.createElement('div')
  holder.textContent = text
  return holder.innerHTML
}

const contentOf = async (message: Message, images: ReadonlyMap<string, string>): Promise<string> =>
  message.html === null
    ? `<div style="white-space: pre-wrap">${escaped(message.text)}</div>`
    : sanitisedHtml(message.html, await openRoom(), { images })

export async function replyQuotation(
  message: Message,
  images: ReadonlyMap<string, string>,
): Promise<string> {
  const who = message.from ? formatPerson(message.from) : 'someone'
  const line = escaped(`On ${formatMoment(message.date)}, ${who} wrote:`)
  return `<div>${line}</div><blockquote type="cite" style="${QUOTE_STYLE}">${await contentOf(message, images)}</blockquote>`
}

export const QUOTE_STYLE = 'margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex'

const parse = (html: string, room: Room): HTMLElement =>
  new room.DOMParser().parseFromString(`<body>${html}`, 'text/html').body

/**
 * Between the editor and a mail. Other programs give a paragraph a margin and an empty one no height, so that lines become
 * what they are in most mail: one `div` each, an empty one with a break in it.
 * Of what stands in the editor.
 */
export async function forMail(html: string): Promise<string> {
  if (html === '') return ''
  const body = parse(html, await openRoom())
  for (const paragraph of body.querySelectorAll('li > p:only-of-type')) unwrap(paragraph)
  for (const paragraph of body.querySelectorAll('p')) {
    const line = renamed(paragraph, 'div')
    if (line.innerHTML === '') line.innerHTML = '<br>'
  }
  for (const quote of body.querySelectorAll('blockquote')) quote.setAttribute('style', QUOTE_STYLE)
  for (const link of body.querySelectorAll('a'))
    for (const name of ['class', 'rel', 'target']) link.removeAttribute(name)
  for (const image of body.querySelectorAll('img')) image.setAttribute('style', 'max-width:100%')
  return body.innerHTML
}

/** Of a draft that was sanitised: its lines are paragraphs again. */
export function forEditor(html: string, room: Room): string {
  const body = parse(html, room)
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

export const withQuotation = (body: string, quotation: string): string =>
  quotation === '' ? body : `${body}<div class="${CLASS}">${quotation}</div>`

export type Written = { body: string; quotation: string }

/** Takes a draft apart again. Parsed without a window, so that nothing in it loads or runs. */
export async function withoutQuotation(
  html: string,
  images: ReadonlyMap<string, string>,
): Promise<Written> {
  const room = await openRoom()
  const parsed = new room.DOMParser().parseFromString(html, 'text/html')
  const last = parsed.body.lastElementChild
  const quoted = last?.classList.contains(CLASS) ? last : null
  quoted?.remove()
  return {
    body: forEditor(
      sanitisedHtml(parsed.body.innerHTML, room, { images, isForEditor: true }),
      room,
    ),
    quotation: quoted ? sanitisedHtml(quoted.innerHTML, room, { images }) : '',
  }
}

export const editableHtml = async (html: string): Promise<string> =>
  html === '' ? '' : sanitisedHtml(html, await openRoom(), { isForEditor: true })

export const plainAsHtml = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')
