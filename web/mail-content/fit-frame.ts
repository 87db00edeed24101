/**
 * Makes the frame as high as the mail, so that the pane scrolls and not the frame. Content wider than the frame is fitted:
 * first fixed widths are removed, then everything is scaled down to SMALLEST_ZOOM, and the rest scrolls sideways.
 */
import { destinationOf } from './safe-link.ts'

const MAX_HEIGHT_PX = 60_000
const MAX_ELEMENTS = 5_000
const SMALLEST_ZOOM = 0.8
/** Added at the right of content that is too wide: scrollWidth does not count the frame's own margin there. */
const MARGIN_PX = 24
const SCROLLBAR_PX = 18

export type FrameFit = { stop: () => void; refit: () => void }

export function fitFrame(frame: HTMLIFrameElement, doc: Document): FrameFit {
  let width = 0
  let restoreWidths: () => void = () => {}
  const isTooWide = () => doc.documentElement.scrollWidth > frame.clientWidth
  const fitWidth = () => {
    width = frame.clientWidth
    restoreWidths()
    doc.body.style.zoom = '1'
    doc.body.style.minWidth = ''
    if (isTooWide()) restoreWidths = removeFixedWidths(doc, width)
    if (!isTooWide()) return
    const wanted = doc.documentElement.scrollWidth + MARGIN_PX
    doc.body.style.zoom = String(Math.max(SMALLEST_ZOOM, width / wanted))
    doc.body.style.minWidth = `${wanted}px`
  }
  const measure = () => {
    if (frame.clientWidth !== width) fitWidth()
    const height = Math.ceil(doc.body.getBoundingClientRect().height)
    frame.style.height = `${Math.min(height + (isTooWide() ? SCROLLBAR_PX : 0), MAX_HEIGHT_PX)}px`
    doc.documentElement.style.overflowY = height > MAX_HEIGHT_PX ? 'auto' : ''
  }
  const observer = new ResizeObserver(measure)
  observer.observe(doc.body)
  observer.observe(frame)
  return {
    stop: () => observer.disconnect(),
    refit: () => {
      width = 0
      measure()
    },
  }
}

/** Removes fixed widths from the elements that are wider than the frame. Returns a function that restores them. */
function removeFixedWidths(doc: Document, width: number): () => void {
  const wide: { element: HTMLElement; style: string | null }[] = []
  for (const element of [...doc.body.querySelectorAll<HTMLElement>('*')].slice(0, MAX_ELEMENTS))
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

export type FrameEvents = {
  /** '' when no link is under the pointer. */
  onLink: (to: string) => void
  /** Called when a mailto: link was clicked. */
  onWrite: (mailto: string) => void
}

const linkOf = ({ target }: Event): Element | null =>
  (target as Element | null)?.closest?.('a[href]') ?? null

/** Files dragged over the frame are dragged over the page: otherwise the frame would open what is dropped. */
function passDrags(doc: Document, signal: AbortSignal): void {
  for (const type of ['dragover', 'drop'] as const)
    doc.addEventListener(
      type,
      (event) => {
        event.preventDefault()
        const { dataTransfer } = event
        dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }))
      },
      { signal },
    )
}

/**
 * Reports the link under the pointer and clicked mailto: links of the frame, and passes its key events and dragged files to the
 * page.
 */
export function watchFrame(doc: Document, { onLink, onWrite }: FrameEvents): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const reportLink = (event: Event) => {
    const link = linkOf(event)
    onLink(link ? destinationOf(link.getAttribute('href') ?? '') : '')
  }
  for (const type of ['mouseover', 'focusin']) doc.addEventListener(type, reportLink, { signal })
  for (const type of ['mouseleave', 'focusout'])
    doc.addEventListener(type, () => onLink(''), { signal })
  for (const type of ['click', 'auxclick'])
    doc.addEventListener(
      type,
      (event) => {
        const href = linkOf(event)?.getAttribute('href') ?? ''
        if (!href.startsWith('mailto:')) return
        event.preventDefault()
        onWrite(href)
      },
      { signal },
    )
  passDrags(doc, signal)
  doc.addEventListener(
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
