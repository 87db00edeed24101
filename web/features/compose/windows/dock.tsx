import { Maximize2, Minus, PictureInPicture2, Shrink, SquareArrowOutUpRight, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Button, keepFocus } from '#web/ui/form/button.tsx'
import { focusHeadingIfLost } from '#web/ui/overlay/return-focus.ts'
import type { LetterPlace } from './letters.ts'

/** Where the window of a letter is. */
export type DockWindow = {
  /** Of the letter. */
  key: string
  place: LetterPlace | 'thread'
  onPlace: (place: LetterPlace) => void
  /** true: files are dragged over the page. */
  isDropping: boolean
}

type DockProps = {
  frame: DockWindow
  title: string
  /** Shown instead of the title while the window is minimised. */
  subject?: string
  onClose: () => void
  footer?: ReactNode
  /** Called with files that are dropped anywhere on the window. */
  onFiles?: (files: readonly File[]) => void
  children: ReactNode
}

/** Classes of the window by its place. On a phone it fills the page. */
const PLACES: Record<DockWindow['place'], string> = {
  thread: 'relative border-line border-t',
  minimised:
    'relative w-full shrink-0 animate-rise border border-line shadow-floating max-xl:order-first sm:w-72 sm:rounded-t-2xl sm:border-b-0',
  window:
    'relative h-dvh min-h-0 w-full shrink animate-rise overflow-hidden border border-line shadow-floating sm:h-[min(46rem,calc(100dvh-4rem))] sm:w-[min(42rem,calc(100vw-3rem))] sm:rounded-t-2xl sm:border-b-0',
  full: 'fixed inset-x-0 inset-y-0 z-10 overflow-hidden border border-line shadow-floating sm:inset-x-[max(1.5rem,calc(50vw-36rem))] sm:inset-y-6 sm:rounded-2xl',
}

/** The window of a letter, which is not modal: in the thread that it answers, in the dock, or over the page. */
export function Dock({
  frame,
  title,
  subject = '',
  onClose,
  footer,
  onFiles,
  children,
}: DockProps) {
  const { key, place } = frame
  const isMinimised = place === 'minimised'
  const box = useRef<HTMLElement>(null)
  useFocusOfDock(box, key)
  useInSight(box, place)
  const closeOnEscape = (event: KeyboardEvent) => {
    // A list or dialog above the window has handled its own Escape.
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
    if (!box.current?.contains(event.target as Node)) return
    event.preventDefault()
    onClose()
  }
  return (
    <section
      ref={box}
      role="dialog"
      aria-label={title}
      data-docked={key}
      tabIndex={-1}
      onKeyDown={closeOnEscape}
      onDrop={(event) => {
        const files = [...event.dataTransfer.files]
        if (!onFiles || event.defaultPrevented || files.length === 0) return
        event.preventDefault()
        onFiles(files)
      }}
      className={cn(
        'pointer-events-auto flex flex-col bg-surface focus:outline-none',
        PLACES[place],
      )}
    >
      <DockHead
        title={isMinimised && subject !== '' ? subject : title}
        frame={frame}
        onClose={onClose}
      />
      <div
        className={cn(
          'flex flex-1 flex-col px-5 pt-3 pb-4',
          place !== 'thread' && 'min-h-0 overflow-y-auto',
          isMinimised && 'hidden',
        )}
      >
        {children}
      </div>
      {footer && !isMinimised && (
        // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the work, this only keeps the focus
        <div
          onMouseDown={keepFocus}
          className="flex shrink-0 flex-wrap items-center gap-2 border-line border-t bg-sunken px-5 py-3"
        >
          {footer}
        </div>
      )}
      {frame.isDropping && onFiles && <DropTarget />}
    </section>
  )
}

/** Over a window that takes what is dropped. */
export function DropTarget() {
  return (
    <p className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-xl border-2 border-accent border-dashed bg-surface/85 font-medium text-accent-ink text-sm">
      Drop files to attach
    </p>
  )
}

type DockHeadProps = { title: string; frame: DockWindow; onClose: () => void }

function DockHead({ title, frame, onClose }: DockHeadProps) {
  const { place, onPlace } = frame
  const isMinimised = place === 'minimised'
  return (
    <div
      className={cn(
        'flex shrink-0 items-center gap-1 border-line bg-sunken py-1.5 pr-2 pl-5',
        !isMinimised && 'border-b',
      )}
    >
      <h2 dir="auto" className="min-w-0 flex-1 truncate font-semibold text-ink text-sm">
        {title}
      </h2>
      {place === 'thread' ? (
        <HeadButton label="Pop out" icon={PictureInPicture2} onPress={() => onPlace('window')} />
      ) : (
        <>
          <HeadButton
            label={isMinimised ? 'Show the message' : 'Minimise'}
            icon={isMinimised ? Maximize2 : Minus}
            isExpanded={!isMinimised}
            onPress={() => onPlace(isMinimised ? 'window' : 'minimised')}
          />
          {!isMinimised && (
            <HeadButton
              className="max-sm:hidden"
              label={place === 'full' ? 'Smaller' : 'Full size'}
              icon={place === 'full' ? Shrink : SquareArrowOutUpRight}
              onPress={() => onPlace(place === 'full' ? 'window' : 'full')}
            />
          )}
        </>
      )}
      <Button variant="quiet" size="iconSmall" aria-label="Close" data-escape onClick={onClose}>
        <X aria-hidden />
      </Button>
    </div>
  )
}

type HeadButtonProps = {
  label: string
  icon: typeof X
  isExpanded?: boolean
  className?: string
  onPress: () => void
}

function HeadButton({ label, icon: Icon, isExpanded, className, onPress }: HeadButtonProps) {
  return (
    <Button
      variant="quiet"
      size="iconSmall"
      aria-label={label}
      title={label}
      aria-expanded={isExpanded}
      className={className}
      onClick={onPress}
    >
      <Icon aria-hidden />
    </Button>
  )
}

/** In a thread it comes into sight, with the end of the message above it where there is room. */
function useInSight(box: React.RefObject<HTMLElement | null>, place: DockWindow['place']) {
  useEffect(() => {
    if (place === 'thread') box.current?.scrollIntoView({ block: 'nearest' })
  }, [box, place])
}

let lastOpener: Element | null = null
/** The element that had the focus before. When the form replaces its loading window, the element from before that window. */
function openerNow(): Element | null {
  const at = document.activeElement
  if (!at?.closest('[data-docked]')) lastOpener = at
  return lastOpener
}

/** Takes the focus on opening, unless a field inside has it, and returns it on closing. */
function useFocusOfDock(box: React.RefObject<HTMLElement | null>, key: string) {
  const [opener] = useState(openerNow)
  useEffect(() => {
    const dock = box.current
    if (dock && !dock.contains(document.activeElement)) dock.focus({ preventScroll: true })
    let hadFocus = false
    const trackFocus = () => {
      hadFocus = dock?.contains(document.activeElement) ?? false
    }
    document.addEventListener('focusin', trackFocus)
    trackFocus()
    return () => {
      document.removeEventListener('focusin', trackFocus)
      // The form that replaces this window takes the focus too.
      if (!hadFocus || document.querySelector(`[data-docked="${key}"]`)) return
      const isThere = opener instanceof HTMLElement && opener.isConnected
      if (isThere && opener !== document.body) opener.focus({ preventScroll: true })
      queueMicrotask(focusHeadingIfLost)
    }
  }, [box, opener, key])
}
