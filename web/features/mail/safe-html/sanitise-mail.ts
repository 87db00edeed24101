/**
 * Makes the HTML of a mail harmless, in the browser that shows it. DOMPurify works by our own short
 * allow-list; then every style, link and picture is judged on the parsed tree. The result never
 * becomes text again before it is shown, so that no second parser can read it differently.
 */
import DOMPurify from 'dompurify'
import { destinationOf, isDeceptive, safeHref } from './safe-link.ts'
import type { Room } from './safe-room.ts'
import { safeStyle } from './safe-style.ts'

export type SafeMail = {
  /** In a document without a window: nothing in it has been loaded. */
  fragment: DocumentFragment
  hasRemoteContent: boolean
}

export type SanitiseOptions = {
  /** Addresses (blob: or data:) of the message's own pictures by Content-ID. */
  images?: ReadonlyMap<string, string>
  /** What stands in the place of a remote picture: a frame with its description, or nothing. */
  remoteImages: 'placeholder' | 'drop'
}

const words = (text: string): string[] => text.trim().split(/\s+/)

const config = {
  ALLOWED_TAGS: words(`a abbr address article aside b bdi bdo big blockquote br caption center cite
    code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6
    header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s samp section small span strike
    strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`),
  ALLOWED_ATTR: words(`align alt bgcolor border cellpadding cellspacing cite color colspan dir face
    height href lang nowrap rowspan size span src start style title valign width`),
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  // Judges every attribute, so what is no address (a width, a colour) must pass. Wider than what stays:
  // the tree is judged below, and remote pictures must be seen to be counted.
  ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto|cid|data):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORCE_BODY: true,
  RETURN_DOM_FRAGMENT: true as const,
}

const loadsFromElsewhere =
  /(?:\b(?:src|srcset|background|poster|data)\s*=\s*["']?\s*(?:https?:)?\/\/)|url\(\s*["']?\s*(?:https?:)?\/\//i
const rasterData = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/i

export function sanitiseMail(html: string, options: SanitiseOptions, room: Room): SafeMail {
  const purify = DOMPurify(room)
  const fragment = purify.sanitize(html, config)
  let hasRemoteContent = loadsFromElsewhere.test(html)
  for (const element of fragment.querySelectorAll<HTMLElement>('*')) {
    judgeStyle(element)
    if (element.localName === 'a') judgeLink(element)
    else element.removeAttribute('href')
    if (element.localName === 'img')
      hasRemoteContent = judgeImage(element, options) || hasRemoteContent
    else element.removeAttribute('src')
  }
  return { fragment, hasRemoteContent }
}

/** As text, for a quotation; for our editor, which knows only alignment, as its attribute. */
export function sanitisedHtml(
  html: string,
  room: Room,
  given: { images?: ReadonlyMap<string, string>; isForEditor?: boolean } = {},
): string {
  const { isForEditor = false, ...images } = given
  const { fragment } = sanitiseMail(html, { remoteImages: 'drop', ...images }, room)
  if (isForEditor) for (const element of fragment.querySelectorAll('[style]')) alignOnly(element)
  const holder = fragment.ownerDocument.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}

function alignOnly(element: Element): void {
  const align = /text-align: (left|center|right)/.exec(element.getAttribute('style') ?? '')?.[1]
  element.removeAttribute('style')
  if (align) element.setAttribute('align', align)
}

function judgeStyle(element: HTMLElement): void {
  const style = element.getAttribute('style')
  if (style === null) return
  const kept = safeStyle(style)
  if (kept === '') element.removeAttribute('style')
  else element.setAttribute('style', kept)
}

function judgeLink(link: HTMLElement): void {
  const href = safeHref(link.getAttribute('href') ?? '')
  link.removeAttribute('title')
  link.removeAttribute('href')
  if (href === null) return
  link.setAttribute('href', href)
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer nofollow')
  link.setAttribute('title', destinationOf(href))
  if (!isDeceptive(link.textContent ?? '', href)) return
  const warning = link.ownerDocument.createElement('strong')
  warning.textContent = ` (leads to ${destinationOf(href)})`
  link.append(warning)
}

/** @returns whether it would have been loaded from elsewhere. */
function judgeImage(image: HTMLElement, options: SanitiseOptions): boolean {
  const src = (image.getAttribute('src') ?? '').trim()
  if (rasterData.test(src)) return false
  const own = /^cid:/i.test(src) ? options.images?.get(contentIdOf(src)) : undefined
  if (own !== undefined) {
    image.setAttribute('src', own)
    return false
  }
  const isRemote = /^https?:/i.test(src)
  const mark = options.remoteImages === 'placeholder' && isRemote ? placeholderOf(image) : null
  if (mark) image.replaceWith(mark)
  else image.remove()
  return isRemote
}

const contentIdOf = (src: string): string => {
  const id = src.slice('cid:'.length)
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** Pictures too small to be seen are there to count readers, and leave no trace. */
const SMALLEST_SHOWN_PX = 12

function placeholderOf(image: HTMLElement): HTMLElement | null {
  const [width, height] = (['width', 'height'] as const).map((side) =>
    Number.parseInt(image.style[side] || image.getAttribute(side) || '', 10),
  ) as [number, number]
  if (width < SMALLEST_SHOWN_PX || height < SMALLEST_SHOWN_PX) return null
  const mark = image.ownerDocument.createElement('span')
  mark.className = 'remote-image'
  mark.textContent = image.getAttribute('alt')?.trim() || 'Image'
  const side = (px: number) => (Number.isNaN(px) ? '' : `${Math.min(px, 600)}px`)
  const size = [
    side(width) && `width: ${side(width)}`,
    side(height) && `min-height: ${side(height)}`,
  ]
  mark.setAttribute('style', size.filter(Boolean).join('; '))
  return mark
}
