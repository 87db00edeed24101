/**
 * Makes the frame as high as the mail, so that the pane scrolls and not the frame. Content wider than the frame is fitted:
 * first fixed widths are removed, then everything is scaled down to SMALLEST_ZOOM, and the rest scrolls sideways, unless the
 * reader wants the whole width at any scale. The text begins below the sender's name at every scale.
 */
import { destinationOf } from './safe-link.ts'

const MAX_HEIGHT_PX = 60_000
const MAX_ELEMENTS = 5_000
const SMALLEST_ZOOM = 0.8
/** As the head of the message has it: px-5, and sm:px-6 in a wide window. */
const [EDGE_PX, WIDE_EDGE_PX] = [20, 24]
const WIDE_WINDOW = '(min-width: 40rem)'
const SCROLLBAR_PX = 18
const MOST_TURNS = 4

/** Content that is wider than the frame at a scale that can be read. */
export type Overflow = {
  isTooWide: boolean
  /** true: some of it is beyond the right edge now. */
  isMoreAtRight: boolean
}

export type FrameFit = {
  stop: () => void
  refit: () => void
  /** Whether everything is in the frame, however small. */
  showWhole: (isWhole: boolean) => void
}

export function fitFrame(
  frame: HTMLIFrameElement,
  doc: Document,
  onOverflow: (overflow: Overflow) => void,
): FrameFit {
  let width = 0
  let isWhole = false
  let isUnreadable = false
  const { body, documentElement: root } = doc
  let restoreWidths: () => void = () => {}
  const isTooWide = () => root.scrollWidth > frame.clientWidth
  /** `contentPx`: without the edges. */
  const scale = (zoom: number, edge: number, contentPx: number) => {
    body.style.zoom = String(zoom)
    body.style.paddingInline = `${edge / zoom}px`
    body.style.minWidth = contentPx > 0 ? `${contentPx + (2 * edge) / zoom}px` : ''
  }
  const fitWidth = () => {
    width = frame.clientWidth
    const edge = matchMedia(WIDE_WINDOW).matches ? WIDE_EDGE_PX : EDGE_PX
    restoreWidths()
    scale(1, edge, 0)
    isUnreadable = false
    if (isTooWide()) restoreWidths = removeFixedWidths(doc, width - 2 * edge)
    if (!isTooWide()) return reportOverflow()
    // scrollWidth does not count the edge at the right.
    const contentPx = root.scrollWidth - edge
    const wanted = (width - 2 * edge) / contentPx
    let zoom = isWhole ? wanted : Math.max(SMALLEST_ZOOM, wanted)
    scale(zoom, edge, contentPx)
    // Small letters are not scaled exactly.
    for (let turn = 0; turn < MOST_TURNS && zoom <= wanted && isTooWide(); turn++) {
      zoom *= (width - 2 * edge) / (root.scrollWidth - edge)
      scale(zoom, edge, contentPx)
    }
    isUnreadable = wanted < SMALLEST_ZOOM
    reportOverflow()
  }
  /** A very high mail scrolls too: what is too wide was found when it was fitted. */
  const reportOverflow = () => {
    const isMoreAtRight = root.scrollWidth - root.scrollLeft - frame.clientWidth > 1
    onOverflow({
      isTooWide: isUnreadable,
      isMoreAtRight: isMoreAtRight && isUnreadable && !isWhole,
    })
  }
  const measure = () => {
    if (frame.clientWidth !== width) fitWidth()
    const height = Math.ceil(body.getBoundingClientRect().height)
    frame.style.height = `${Math.min(height + (isTooWide() ? SCROLLBAR_PX : 0), MAX_HEIGHT_PX)}px`
    root.style.overflowY = height > MAX_HEIGHT_PX ? 'auto' : ''
  }
  const refit = () => {
    width = 0
    measure()
  }
  const observer = new ResizeObserver(measure)
  observer.observe(body)
  observer.observe(frame)
  doc.addEventListener('scroll', reportOverflow, { passive: true })
  return {
    stop: () => {
      observer.disconnect()
      doc.removeEventListener('scroll', reportOverflow)
    },
    refit,
    showWhole: (isWanted) => {
      isWhole = isWanted
      refit()
    },
  }
}

/** Removes fixed widths from the elements that are wider than `roomPx`. Returns a function that restores them. */
function removeFixedWidths(doc: Document, roomPx: number): () => void {
  const wide: { element: HTMLElement; style: string | null }[] = []
  for (const element of [...doc.body.querySelectorAll<HTMLElement>('*')].slice(0, MAX_ELEMENTS))
    if (element.offsetWidth > roomPx) wide.push({ element, style: element.getAttribute('style') })
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
