import { Maximize2, Minus, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { cn } from '#web/ui/cn.ts'
import { Button, keepFocus } from '#web/ui/form/button.tsx'
import { focusHeadingIfLost } from '#web/ui/overlay/return-focus.ts'

type DockProps = {
  title: string
  /** Shown instead of the title while the window is minimised. */
  subject?: string
  onClose: () => void
  footer?: ReactNode
  /** Called with files that are dropped anywhere on the window. */
  onFiles?: (files: readonly File[]) => void
  children: ReactNode
}

/** A non-modal window at the bottom of the page that can be minimised; on a phone it fills the page. */
export function Dock({ title, subject = '', onClose, footer, onFiles, children }: DockProps) {
  const [isMinimised, setIsMinimised] = useState(false)
  const box = useRef<HTMLElement>(null)
  useFocusOfDock(box)
  const closeOnEscape = (event: KeyboardEvent) => {
    // A list or dialog above the window has handled its own Escape.
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
    if (!box.current?.contains(event.target as Node)) return
    event.preventDefault()
    onClose()
  }
  return createPortal(
    <section
      ref={box}
      role="dialog"
      aria-label={title}
      data-docked
      tabIndex={-1}
      onKeyDown={closeOnEscape}
      onDragOver={(event) => onFiles && event.preventDefault()}
      onDrop={(event) => {
        const files = [...event.dataTransfer.files]
        if (!onFiles || event.defaultPrevented || files.length === 0) return
        event.preventDefault()
        onFiles(files)
      }}
      className={cn(
        'fixed right-0 bottom-0 z-40 flex animate-rise flex-col overflow-hidden border border-line bg-surface shadow-floating focus:outline-none sm:right-6 sm:rounded-t-2xl sm:border-b-0',
        isMinimised
          ? 'w-full sm:w-80'
          : 'h-dvh w-full sm:h-[min(46rem,calc(100dvh-4rem))] sm:w-[min(42rem,calc(100vw-3rem))]',
      )}
    >
      <DockHead
        title={isMinimised && subject !== '' ? subject : title}
        isMinimised={isMinimised}
        onMinimise={setIsMinimised}
        onClose={onClose}
      />
      <div
        className={cn(
          'flex min-h-0 flex-1 flex-col overflow-y-auto px-5 pt-3 pb-4',
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
    </section>,
    document.body,
  )
}

type DockHeadProps = {
  title: string
  isMinimised: boolean
  onMinimise: (isMinimised: boolean) => void
  onClose: () => void
}

function DockHead({ title, isMinimised, onMinimise, onClose }: DockHeadProps) {
  return (
    <div className="flex shrink-0 items-center gap-1 border-line border-b bg-sunken py-1.5 pr-2 pl-5">
      <h2 dir="auto" className="min-w-0 flex-1 truncate font-semibold text-ink text-sm">
        {title}
      </h2>
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label={isMinimised ? 'Show the message' : 'Minimise'}
        aria-expanded={!isMinimised}
        onClick={() => onMinimise(!isMinimised)}
      >
        {isMinimised ? <Maximize2 aria-hidden /> : <Minus aria-hidden />}
      </Button>
      <Button variant="quiet" size="iconSmall" aria-label="Close" data-escape onClick={onClose}>
        <X aria-hidden />
      </Button>
    </div>
  )
}

let lastOpener: Element | null = null
/** The element that had the focus before. When the form replaces its loading window, the element from before that window. */
function openerNow(): Element | null {
  const at = document.activeElement
  if (!at?.closest('[data-docked]')) lastOpener = at
  return lastOpener
}

/** Takes the focus on opening, unless a field inside has it, and returns it on closing. */
function useFocusOfDock(box: React.RefObject<HTMLElement | null>) {
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
      if (!hadFocus || document.querySelector('[data-docked]')) return
      const isThere = opener instanceof HTMLElement && opener.isConnected
      if (isThere && opener !== document.body) opener.focus({ preventScroll: true })
      queueMicrotask(focusHeadingIfLost)
    }
  }, [box, opener])
}
