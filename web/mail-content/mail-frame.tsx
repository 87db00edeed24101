/**
 * Shows the HTML of a mail. Four defences, each of which is enough alone: the allow-list of `sanitise-mail.ts`, a frame
 * without scripts, the frame's own Content-Security-Policy (server: pages/mail-frame.ts), and no network (decision 008).
 */
import { useEffect, useRef, useState } from 'react'
import { useIsDark } from '#web/lib/theme.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import {
  type FrameEvents,
  type FrameFit,
  fitFrame,
  type Overflow,
  watchFrame,
} from './fit-frame.ts'
import { foldQuotes } from './fold-quotes.ts'
import { FRAME_PATH, FRAME_SANDBOX, type FrameWindow, frameWindowOf } from './frame-window.ts'
import { lendFonts } from './mail-fonts.ts'
import type { PictureSize } from './picture-room.ts'
import type { RemotePicture } from './remote-pictures.ts'
import { linkify } from './safe-link.ts'
import { frameStyle } from './safe-style.ts'
import { sanitiseLink, sanitiseMail } from './sanitise-mail.ts'

type MailFrameProps = Pick<FrameEvents, 'onLink'> &
  Partial<FrameEvents> & {
    html: string
    /** Object URLs: of inline images by Content-ID, of remote pictures by their URL in the mail. */
    images: ReadonlyMap<string, string>
    /** Of the inline images, by Content-ID. */
    sizes?: ReadonlyMap<string, PictureSize>
    pictures?: ReadonlyMap<string, string>
    title: string
    /** Called with the URLs of the mail's remote pictures. */
    onRemotePictures?: (urls: readonly string[]) => void
  }

const noPictures: ReadonlyMap<string, string> = new Map()
const noSizes: ReadonlyMap<string, PictureSize> = new Map()
const doNothing = () => {}

type WrittenFrame = { remote: RemotePicture[]; fitting: FrameFit }

export function MailFrame(props: MailFrameProps) {
  const { html, images, sizes = noSizes, pictures = noPictures, title, onLink } = props
  const { onWrite = doNothing, onRemotePictures = doNothing } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  const [background, setBackground] = useState<'white' | 'dark' | null>(null)
  const [written, setWritten] = useState<WrittenFrame | null>(null)
  const [overflow, setOverflow] = useState<Overflow>(FITS)
  const [isWhole, setIsWhole] = useState(false)
  const isDark = useIsDark()
  const [isTurned, setIsTurned] = useState(false)
  useEffect(() => {
    const frameWindow = loads > 0 && frame.current ? frameWindowOf(frame.current) : null
    if (!frame.current || !frameWindow) return
    const mail = writeMail(frameWindow, { html, images, sizes, isDark })
    setBackground(mail.background)
    onRemotePictures([...new Set(mail.remote.map(({ url }) => url))])
    void lendFonts(frameWindow)
    const frameFit = fitFrame(frame.current, frameWindow.document, setOverflow)
    setWritten({ remote: mail.remote, fitting: frameFit })
    return () => frameFit.stop()
  }, [loads, html, images, sizes, isDark, onRemotePictures])
  useEffect(() => {
    const frameWindow = loads > 0 && frame.current ? frameWindowOf(frame.current) : null
    return frameWindow ? watchFrame(frameWindow.document, { onLink, onWrite }) : undefined
  }, [loads, onLink, onWrite])
  useEffect(() => {
    const frameWindow = written && frame.current ? frameWindowOf(frame.current) : null
    frameWindow?.document.documentElement.classList.toggle('turned', isTurned && isDark)
  }, [written, isTurned, isDark])
  useEffect(() => written?.fitting.showWhole(isWhole), [written, isWhole])
  useEffect(() => {
    if (written && showPictures(written.remote, pictures)) written.fitting.refit()
  }, [written, pictures])
  const isPaper = background === 'white'
  return (
    <div className={cn(isPaper && isDark && 'px-5 py-3 sm:px-6')}>
      {isPaper && isDark && (
        <Button
          variant="quiet"
          size="small"
          className="-ml-3 mb-2 text-soft"
          onClick={() => setIsTurned(!isTurned)}
        >
          {isTurned ? 'Original colours' : 'Dark colours'}
        </Button>
      )}
      {overflow.isTooWide && (
        <WideNote isWhole={isWhole} onChange={setIsWhole} isInCard={isPaper && isDark} />
      )}
      <div className="relative">
        <iframe
          ref={frame}
          title={title}
          src={FRAME_PATH}
          sandbox={FRAME_SANDBOX}
          referrerPolicy="no-referrer"
          onLoad={() => setLoads((count) => count + 1)}
          className={cn(
            'block h-40 w-full border-0',
            isPaper && 'bg-white dark:rounded-xl',
            isPaper && (isTurned && isDark ? TURNED : 'dark:brightness-90'),
          )}
        />
        {overflow.isMoreAtRight && (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 right-0 w-6 bg-linear-to-l from-ink/20 to-transparent"
          />
        )}
      </div>
    </div>
  )
}

const FITS: Overflow = { isTooWide: false, isMoreAtRight: false }

type WideNoteProps = { isWhole: boolean; onChange: (isWhole: boolean) => void; isInCard: boolean }

/** Above content that cannot be read at the width of the window: it goes on at the right, or it is small. */
function WideNote({ isWhole, onChange, isInCard }: WideNoteProps) {
  return (
    <p
      className={cn(
        'flex flex-wrap items-center gap-x-3 text-soft text-xs',
        isInCard ? 'pb-2' : 'border-line border-b px-5 py-1 sm:px-6',
      )}
    >
      {isWhole ? 'Made small, to fit the window.' : 'Wider than the window: scroll it sideways.'}
      <Button
        variant="link"
        size="inline"
        className="min-h-6 text-xs"
        onClick={() => onChange(!isWhole)}
      >
        {isWhole ? 'Readable size' : 'Fit to width'}
      </Button>
    </p>
  )
}

/** White paper as dark paper, in about the same hues; the pictures are turned back inside the frame. */
const TURNED = '[filter:invert(0.9)_hue-rotate(180deg)]'

/** A mail that sets a colour was designed for a white background. */
const COLOURED = '[bgcolor], [background], [color], [style*=color], [style*=background], style'

export type WrittenMail = { remote: RemotePicture[]; background: 'white' | 'dark' }

type MailToWrite = {
  html: string
  images: ReadonlyMap<string, string>
  sizes?: ReadonlyMap<string, PictureSize>
  isDark: boolean
}

/** Writes the sanitised HTML of a mail into an empty frame. */
export function writeMail(
  frameWindow: FrameWindow,
  { html, images, sizes = noSizes, isDark }: MailToWrite,
): WrittenMail {
  const doc = frameWindow.document
  const { fragment, remote } = sanitiseMail(
    html,
    { images, sizes, remoteImages: 'placeholder' },
    frameWindow,
  )
  linkAddresses(fragment, sanitiseLink)
  foldQuotes(fragment)
  const background = isDark && fragment.querySelector(COLOURED) === null ? 'dark' : 'white'
  doc.documentElement.className = background
  const style = doc.createElement('style')
  style.textContent = frameStyle
  doc.head.replaceChildren(style)
  // Adopted, not copied: `remote` refers to the placeholder elements.
  doc.body.replaceChildren(doc.adoptNode(fragment))
  return { remote, background: background }
}

/** Replaces the placeholders of the pictures that have loaded. Returns true when there were any. */
export function showPictures(
  remote: readonly RemotePicture[],
  pictures: ReadonlyMap<string, string>,
): boolean {
  let isAny = false
  for (const { url, placeholder, image } of remote) {
    const loadedUrl = pictures.get(url)
    if (loadedUrl === undefined || !placeholder.isConnected) continue
    image.setAttribute('src', loadedUrl)
    placeholder.replaceWith(image)
    isAny = true
  }
  return isAny
}

/**
 * Makes links of the URLs and mail addresses in the text of an HTML mail that are not links yet.
 * `sanitise` checks each new link as it does every other link of a mail.
 */
export function linkAddresses(
  fragment: DocumentFragment,
  sanitise: (link: HTMLElement) => void,
): void {
  const { ownerDocument } = fragment
  const walker = ownerDocument.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { data } = node as Text
    const mayHold = /[@:]|www\./i.test(data)
    if (mayHold && !node.parentElement?.closest('a')) found.push(node as Text)
  }
  for (const node of found) {
    const parts = linkify(node.data)
    if (parts.every(({ href }) => href === undefined)) continue
    node.replaceWith(
      ...parts.map(({ text, href }) => {
        if (href === undefined) return text
        const link = ownerDocument.createElement('a')
        link.textContent = text
        link.setAttribute('href', href)
        sanitise(link)
        return link
      }),
    )
  }
}
