/**
 * The frame is as high as the mail, so that the pane scrolls and not the frame. What is wider than the frame is made to
 * fit: fixed widths give way first, then all of it shrinks as far as it can still be read, and the rest is scrolled to.
 */
import { destinationOf } from './safe-link.ts'

const MAX_HEIGHT_PX = 60_000
const MAX_ELEMENTS = 5_000
const SMALLEST_ZOOM = 0.8
/** At the right of what is too wide; the frame's own margin is not counted there. */
const MARGIN_PX = 24
const SCROLLBAR_PX = 18

export type Fitting = { stop: () => void; again: () => void }

export function fitFrame(frame: HTMLIFrameElement, paper: Document): Fitting {
  let width = 0
  let widen: () => void = () => {}
  const isTooWide = () => paper.documentElement.scrollWidth > frame.clientWidth
  const fitWidth = () => {
    width = frame.clientWidth
    widen()
    paper.body.style.zoom = '1'
    paper.body.style.minWidth = ''
    if (isTooWide()) widen = narrow(paper, width)
    if (!isTooWide()) return
    const wanted = paper.documentElement.scrollWidth + MARGIN_PX
    paper.body.style.zoom = String(Math.max(SMALLEST_ZOOM, width / wanted))
    paper.body.style.minWidth = `${wanted}px`
  }
  const measure = () => {
    if (frame.clientWidth !== width) fitWidth()
    const height = Math.ceil(paper.body.getBoundingClientRect().height)
    frame.style.height = `${Math.min(height + (isTooWide() ? SCROLLBAR_PX : 0), MAX_HEIGHT_PX)}px`
    paper.documentElement.style.overflowY = height > MAX_HEIGHT_PX ? 'auto' : ''
  }
  const observer = new ResizeObserver(measure)
  observer.observe(paper.body)
  observer.observe(frame)
  return {
    stop: () => observer.disconnect(),
    again: () => {
      width = 0
      measure()
    },
  }
}

/** Takes their fixed widths from the elements that are wider than the frame. @returns what gives them back. */
function narrow(paper: Document, width: number): () => void {
  const wide: { element: HTMLElement; style: string | null }[] = []
  for (const element of [...paper.body.querySelectorAll<HTMLElement>('*')].slice(0, MAX_ELEMENTS))
    if (element.offsetWidth > width - 2 * MARGIN_PX)
      wide.push({ element, style: element.getAttribute('style') })
  for (const { element } of wide) {
    const { style, localName } = element
    const isCell = localName === 'td' || localName === 'th'
    const isFull = /^(?:table|img)$/.test(localName) || element.className === 'remote-image'
    const own = isFull ? '100%' : 'auto'
    style.setProperty('width', isCell ? 'auto' : own, 'important')
    style.setProperty('min-width', '0', 'important')
    style.setProperty('max-width', '100%', 'important')
    style.setProperty('box-sizing', 'border-box')
    if (localName === 'img') style.setProperty('height', 'auto', 'important')
  }
  return () => {
    for (const { element, style } of wide)
      if (style === null) element.removeAttribute('style')
      else element.setAttribute('style', style)
  }
}

export type Followed = {
  /** '' when there is no link under the pointer any more. */
  onLink: (to: string) => void
  /** A mailto: link was followed. */
  onWrite: (mailto: string) => void
}

const linkOf = ({ target }: Event): Element | null =>
  (target as Element | null)?.closest?.('a[href]') ?? null

/** What its reader does in the frame of a mail: where a link leads, letters to be written, keys. */
export function followFrame(paper: Document, { onLink, onWrite }: Followed): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const look = (event: Event) => {
    const link = linkOf(event)
    onLink(link ? destinationOf(link.getAttribute('href') ?? '') : '')
  }
  for (const type of ['mouseover', 'focusin']) paper.addEventListener(type, look, { signal })
  for (const type of ['mouseleave', 'focusout'])
    paper.addEventListener(type, () => onLink(''), { signal })
  for (const type of ['click', 'auxclick'])
    paper.addEventListener(
      type,
      (event) => {
        const href = linkOf(event)?.getAttribute('href') ?? ''
        if (!href.startsWith('mailto:')) return
        event.preventDefault()
        onWrite(href)
      },
      { signal },
    )
  paper.addEventListener(
    'keydown',
    (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      const copy = new KeyboardEvent('keydown', {
        ...{ key, ctrlKey, metaKey, altKey, shiftKey },
        cancelable: true,
      })
      if (!dispatchEvent(copy)) event.preventDefault()
    },
    { signal },
  )
  return () => {
    stop.abort()
    onLink('')
  }
}
