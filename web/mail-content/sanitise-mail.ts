/**
 * Makes the HTML of a mail harmless, in the browser that shows it. DOMPurify works by our own short
 * allow-list; then every style, link and picture is judged on the parsed tree. The result never
 * becomes text again before it is shown, so that no second parser can read it differently.
 */
import DOMPurify from 'dompurify'
import { isRemote, type RemotePicture, setAside } from './remote-pictures.ts'
import { destinationOf, isDeceptive, safeHref } from './safe-link.ts'
import type { Room } from './safe-room.ts'
import { safeStyle } from './safe-style.ts'

export type SafeMail = {
  /** In a document without a window: nothing in it has been loaded. */
  fragment: DocumentFragment
  /** Those from elsewhere that a placeholder stands for. */
  remote: RemotePicture[]
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
  // the tree is judged below, and remote pictures must be seen to be set aside.
  ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto|cid|data):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORCE_BODY: true,
  RETURN_DOM_FRAGMENT: true as const,
}

const rasterData = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i

export function sanitiseMail(html: string, options: SanitiseOptions, room: Room): SafeMail {
  const purify = DOMPurify(room)
  const fragment = purify.sanitize(html, config)
  const remote: RemotePicture[] = []
  for (const element of fragment.querySelectorAll<HTMLElement>('*')) {
    judgeStyle(element)
    if (element.localName === 'a') judgeLink(element)
    else element.removeAttribute('href')
    if (element.localName === 'img') {
      const aside = judgeImage(element as HTMLImageElement, options)
      if (aside) remote.push(aside)
    } else element.removeAttribute('src')
  }
  return { fragment, remote }
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

/** Gives a link what every link of a mail has: its true destination in sight, and nothing of ours along. */
export function judgeLink(link: HTMLElement): void {
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

/** What is not the message's own is taken out; @returns what may come back when its reader wants it. */
function judgeImage(image: HTMLImageElement, options: SanitiseOptions): RemotePicture | null {
  const src = (image.getAttribute('src') ?? '').trim()
  if (rasterData.test(src)) return null
  const own = /^cid:/i.test(src) ? options.images?.get(contentIdOf(src)) : undefined
  if (own !== undefined) image.setAttribute('src', own)
  else if (options.remoteImages === 'placeholder' && isRemote(src)) return setAside(image)
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
