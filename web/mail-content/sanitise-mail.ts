/**
 * Sanitises the HTML of a mail in the browser that shows it. DOMPurify applies our own short allow-list; then every
 * style, link and picture is checked on the parsed tree. The result is never serialised before it is shown, so that
 * no second parser can read it differently.
 */
import DOMPurify from 'dompurify'
import { lookOf, styleOf } from '#web/ui/editor/text-look.ts'
import type { FrameWindow } from './frame-window.ts'
import { giveSize, keepRoom, type PictureSize, sizeOfData } from './picture-room.ts'
import { AWAITED, isRemote, type RemotePicture, replaceRemotePicture } from './remote-pictures.ts'
import { destinationOf, isDeceptive, safeHref } from './safe-link.ts'
import { safeStyle } from './safe-style.ts'

export type SafeMail = {
  /** In a document without a window, so that nothing in it has loaded. */
  fragment: DocumentFragment
  /** Remote pictures that a placeholder replaced. */
  remote: RemotePicture[]
}

export type SanitiseOptions = {
  /** URLs (blob: or data:) of inline images by Content-ID. */
  images?: ReadonlyMap<string, string>
  /** How large they are, by Content-ID: given, every picture whose size is known gets its room at once. */
  sizes?: ReadonlyMap<string, PictureSize>
  /** Whether a remote picture leaves a placeholder with its description, or nothing. */
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
  // DOMPurify tests every attribute with it, so values that are no URLs (a width, a colour) must pass. It allows more than may
  // stay:
  // the code below checks the tree, and must see remote pictures to replace them.
  ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto|cid|data):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORCE_BODY: true,
  RETURN_DOM_FRAGMENT: true as const,
}

const rasterData = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i

export function sanitiseMail(
  html: string,
  options: SanitiseOptions,
  frameWindow: FrameWindow,
): SafeMail {
  const purify = DOMPurify(frameWindow)
  purify.addHook('uponSanitizeElement', (node, { tagName }) => emptyFormPart(node, tagName))
  const fragment = purify.sanitize(html, config)
  const remote: RemotePicture[] = []
  for (const element of fragment.querySelectorAll<HTMLElement>('*')) {
    sanitiseStyle(element)
    if (element.localName === 'a') sanitiseLink(element)
    else element.removeAttribute('href')
    if (element.localName === 'img') {
      const remotePicture = sanitiseImage(element as HTMLImageElement, options)
      if (remotePicture) remote.push(remotePicture)
    } else element.removeAttribute('src')
  }
  return { fragment, remote }
}

const formParts = new Set(['button', 'select', 'textarea', 'datalist'])

/** What is written on a form's parts would stay as words without sense. A button in a link, or around one, is the link's text. */
function emptyFormPart(node: Node, tagName: string): void {
  if (!formParts.has(tagName)) return
  const element = node as Element
  const isLink = element.closest('a[href]') !== null || element.querySelector('a[href]') !== null
  if (tagName !== 'button' || !isLink) element.replaceChildren()
}

/** Returns HTML text, for a quotation or for our editor, which knows alignment as an attribute, and its own sizes and colours. */
export function sanitisedHtml(
  html: string,
  frameWindow: FrameWindow,
  options: { images?: ReadonlyMap<string, string>; isForEditor?: boolean } = {},
): string {
  const { isForEditor = false, ...images } = options
  const { fragment } = sanitiseMail(html, { remoteImages: 'drop', ...images }, frameWindow)
  if (isForEditor) for (const element of fragment.querySelectorAll('[style]')) editableOnly(element)
  const holder = fragment.ownerDocument.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}

function editableOnly(element: Element): void {
  const style = element.getAttribute('style') ?? ''
  const align = /text-align: (left|center|right)/.exec(style)?.[1]
  const look = element.localName === 'span' ? styleOf(lookOf(style)) : ''
  if (look === '') element.removeAttribute('style')
  else element.setAttribute('style', look)
  if (align) element.setAttribute('align', align)
}

function sanitiseStyle(element: HTMLElement): void {
  const style = element.getAttribute('style')
  if (style === null) return
  const safe = safeStyle(style)
  if (safe === '') element.removeAttribute('style')
  else element.setAttribute('style', safe)
}

/** Allows a link only with a safe URL, shows its true destination, and sends no referrer or opener. */
export function sanitiseLink(link: HTMLElement): void {
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

/** Removes every picture that is not part of the message. Returns the remote picture that the reader may load later, or null. */
function sanitiseImage(image: HTMLImageElement, options: SanitiseOptions): RemotePicture | null {
  const { images, sizes, remoteImages } = options
  const src = (image.getAttribute('src') ?? '').trim()
  if (rasterData.test(src)) {
    const size = sizes && sizeOfData(src)
    if (size) giveSize(image, size)
    return null
  }
  const isOwn = /^cid:/i.test(src)
  const ownUrl = isOwn ? images?.get(contentIdOf(src)) : undefined
  const size = isOwn ? sizes?.get(contentIdOf(src)) : undefined
  if (ownUrl !== undefined) {
    image.setAttribute('src', ownUrl)
    if (size) giveSize(image, size)
  } else if (images === AWAITED && isOwn) keepRoom(image, size)
  else if (remoteImages === 'placeholder' && isRemote(src)) return replaceRemotePicture(image)
  else image.remove()
  return null
}

const contentIdOf = (src: string): string => {
  const id = src.slice('cid:'.length)
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
