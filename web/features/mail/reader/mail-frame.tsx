/**
 * Shows the HTML of a mail. Four walls, each of which holds alone: the allow-list of `sanitise-mail.ts`,
 * a frame without scripts, the frame's own Content-Security-Policy (server: pages/mail-frame.ts), and no network.
 */
import { useEffect, useRef, useState } from 'react'
import { useIsDark } from '#web/lib/theme.ts'
import { cn } from '#web/ui/cn.ts'
import { frameStyle } from '../safe-html/frame-style.ts'
import { destinationOf } from '../safe-html/safe-link.ts'
import { FRAME_PATH, FRAME_SANDBOX, roomOf } from '../safe-html/safe-room.ts'
import { sanitiseMail } from '../safe-html/sanitise-mail.ts'

const MAX_HEIGHT_PX = 60_000
/** Wider mails are made smaller to fit, but not smaller than can be read. */
const SMALLEST_ZOOM = 0.48
/** At the right of what is too wide; the frame's own margin is not counted there. */
const MARGIN_PX = 20

/** A mail that chose a colour chose it for white paper. */
const COLOURED = '[bgcolor], [background], [color], [style*=color], [style*=background], style'

type MailFrameProps = {
  html: string
  images: ReadonlyMap<string, string>
  title: string
  onLink: (to: string) => void
  onRemoteContent: (isThere: boolean) => void
}

export function MailFrame({ html, images, title, onLink, onRemoteContent }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  const [paper, setPaper] = useState<'white' | 'dark' | null>(null)
  const isDark = useIsDark()
  useEffect(() => {
    const room = loads > 0 && frame.current ? roomOf(frame.current) : null
    if (!frame.current || !room) return
    const safe = sanitiseMail(html, { images, remoteImages: 'placeholder' }, room)
    onRemoteContent(safe.hasRemoteContent)
    const next = isDark && safe.fragment.querySelector(COLOURED) === null ? 'dark' : 'white'
    setPaper(next)
    write(room.document, safe.fragment, next)
    const stopFitting = fitHeight(frame.current, room.document)
    const stopTelling = tell(room.document, onLink)
    return () => {
      stopFitting()
      stopTelling()
    }
  }, [loads, html, images, isDark, onLink, onRemoteContent])
  return (
    <iframe
      ref={frame}
      title={title}
      src={FRAME_PATH}
      sandbox={FRAME_SANDBOX}
      referrerPolicy="no-referrer"
      onLoad={() => setLoads((count) => count + 1)}
      className={cn(
        'block h-40 w-full border-0',
        paper === 'white' && 'bg-white dark:brightness-90',
      )}
    />
  )
}

function write(paper: Document, fragment: DocumentFragment, colour: 'white' | 'dark'): void {
  paper.documentElement.className = colour
  const style = paper.createElement('style')
  style.textContent = frameStyle
  paper.head.replaceChildren(style)
  paper.body.replaceChildren(paper.importNode(fragment, true))
}

/** The frame is as high as the mail, so that the pane scrolls and not the frame. */
function fitHeight(frame: HTMLIFrameElement, paper: Document): () => void {
  let width = 0
  const measure = () => {
    if (frame.clientWidth !== width) {
      width = frame.clientWidth
      paper.body.style.zoom = '1'
      paper.body.style.minWidth = ''
      const wanted = paper.documentElement.scrollWidth
      if (wanted > width) {
        paper.body.style.zoom = String(Math.max(SMALLEST_ZOOM, width / (wanted + MARGIN_PX)))
        paper.body.style.minWidth = `${wanted + MARGIN_PX}px`
      }
    }
    const height = Math.ceil(paper.body.getBoundingClientRect().height)
    const isSideways = paper.documentElement.scrollWidth > frame.clientWidth
    frame.style.height = `${Math.min(height + (isSideways ? 18 : 0), MAX_HEIGHT_PX)}px`
    if (height > MAX_HEIGHT_PX) paper.documentElement.style.overflowY = 'auto'
  }
  const observer = new ResizeObserver(measure)
  observer.observe(paper.body)
  observer.observe(frame)
  return () => observer.disconnect()
}

/** Where a link leads, and the keys that were pressed in the frame. */
function tell(paper: Document, onLink: (to: string) => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const look = ({ target }: Event) => {
    const link = (target as Element | null)?.closest?.('a[href]')
    onLink(link ? destinationOf(link.getAttribute('href') ?? '') : '')
  }
  for (const type of ['mouseover', 'focusin']) paper.addEventListener(type, look, { signal })
  for (const type of ['mouseleave', 'focusout'])
    paper.addEventListener(type, () => onLink(''), { signal })
  paper.addEventListener(
    'keydown',
    ({ key, ctrlKey, metaKey, altKey, shiftKey }) => {
      dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey, shiftKey }))
    },
    { signal },
  )
  return () => {
    stop.abort()
    onLink('')
  }
}
