/**
 * Between the editor and a mail. Other programs give a paragraph a margin and an empty one no height, so that lines become
 * what they are in most mail: one `div` each, an empty one with a break in it.
 */
import { openRoom, type Room } from '../../safe-html/safe-room.ts'

export const QUOTE_STYLE = 'margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex'

const parse = (html: string, room: Room): HTMLElement =>
  new room.DOMParser().parseFromString(`<body>${html}`, 'text/html').body

/** Of what stands in the editor. */
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
