import { Maximize2, Minus, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { cn } from '#web/ui/cn.ts'
import { Button, keepFocus } from '#web/ui/form/button.tsx'
import { focusHeadingIfLost } from '#web/ui/overlay/return-focus.ts'

type DockProps = {
  title: string
  /** Shown while it is small, in place of the title. */
  subject?: string
  onClose: () => void
  footer?: ReactNode
  /** Files that are dropped anywhere on it. */
  onFiles?: (files: readonly File[]) => void
  children: ReactNode
}

/** A window at the foot of the page that can be made small; on a phone it is the whole page. It traps nobody. */
export function Dock({ title, subject = '', onClose, footer, onFiles, children }: DockProps) {
  const [isSmall, setIsSmall] = useState(false)
  const box = useRef<HTMLElement>(null)
  useFocusOfDock(box)
  const press = (event: KeyboardEvent) => {
    // What opened above it, a list or a question, has taken its own Escape.
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
      onKeyDown={press}
      onDragOver={(event) => onFiles && event.preventDefault()}
      onDrop={(event) => {
        const files = [...event.dataTransfer.files]
        if (!onFiles || event.defaultPrevented || files.length === 0) return
        event.preventDefault()
        onFiles(files)
      }}
      className={cn(
        'fixed right-0 bottom-0 z-40 flex animate-rise flex-col overflow-hidden border border-line bg-surface shadow-floating focus:outline-none sm:right-6 sm:rounded-t-2xl sm:border-b-0',
        isSmall
          ? 'w-full sm:w-80'
          : 'h-dvh w-full sm:h-[min(46rem,calc(100dvh-4rem))] sm:w-[min(42rem,calc(100vw-3rem))]',
      )}
    >
      <div className="flex shrink-0 items-center gap-1 border-line border-b bg-sunken py-1.5 pr-2 pl-5">
        <h2 dir="auto" className="min-w-0 flex-1 truncate font-semibold text-ink text-sm">
          {isSmall && subject !== '' ? subject : title}
        </h2>
        <Button
          variant="quiet"
          size="iconSmall"
          aria-label={isSmall ? 'Show the message' : 'Minimise'}
          aria-expanded={!isSmall}
          onClick={() => setIsSmall(!isSmall)}
        >
          {isSmall ? <Maximize2 aria-hidden /> : <Minus aria-hidden />}
        </Button>
        <Button variant="quiet" size="iconSmall" aria-label="Close" data-escape onClick={onClose}>
          <X aria-hidden />
        </Button>
      </div>
      <div
        className={cn(
          'flex min-h-0 flex-1 flex-col overflow-y-auto px-5 pt-3 pb-4',
          isSmall && 'hidden',
        )}
      >
        {children}
      </div>
      {footer && !isSmall && (
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

let lastOpener: Element | null = null
/** What had the focus before; a form that takes the place of the window in which it was fetched goes back where that came from. */
function openerNow(): Element | null {
  const at = document.activeElement
  if (!at?.closest('[data-docked]')) lastOpener = at
  return lastOpener
}

/** It takes the focus when it opens, unless a field of it has it; and gives it back to where it came from. */
function useFocusOfDock(box: React.RefObject<HTMLElement | null>) {
  const [opener] = useState(openerNow)
  useEffect(() => {
    const dock = box.current
    if (dock && !dock.contains(document.activeElement)) dock.focus({ preventScroll: true })
    let hadFocus = false
    const note = () => {
      hadFocus = dock?.contains(document.activeElement) ?? false
    }
    document.addEventListener('focusin', note)
    note()
    return () => {
      document.removeEventListener('focusin', note)
      // The form that took the place of this window takes the focus too.
      if (!hadFocus || document.querySelector('[data-docked]')) return
      const isThere = opener instanceof HTMLElement && opener.isConnected
      if (isThere && opener !== document.body) opener.focus({ preventScroll: true })
      queueMicrotask(focusHeadingIfLost)
    }
  }, [box, opener])
}
