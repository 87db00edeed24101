import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { type FocusEvent, useRef } from 'react'
import { cn } from '../cn.ts'
import { Button } from '../form/button.tsx'
import { focusHeadingIfLost } from './return-focus.ts'
import { useClearPlace } from './use-clear-place.ts'

export type ToastProps = {
  title: string
  description: string
  variant: 'default' | 'success' | 'error'
  durationMs: number
  action: { label: string; run: () => void } | null
  isOpen: boolean
  onClose: () => void
}

export const ToastProvider = Radix.Provider

const VIEWPORT_ID = 'toasts'
const CROSS_MARK = '❌'

/** The element that had the focus before it moved to the toast. */
let cameFrom: Element | null = null

const noteWhence = ({ currentTarget, relatedTarget }: FocusEvent) => {
  if (!currentTarget.contains(relatedTarget)) cameFrom = relatedTarget
}

/** When a toast closes with the focus in it, the focus returns: its empty viewport would keep it invisibly. */
const leadBack = (viewport: Element | null) => {
  if (!viewport?.contains(document.activeElement)) return
  if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus()
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  focusHeadingIfLost()
}

const DIALOGS = '[role=dialog], [role=alertdialog]'

/** The dialog with the focus; while the focus returns from a confirmation, the last open dialog. */
const dialogInUse = (): Element | null => {
  const focused = document.activeElement
  if (focused !== document.body) return focused?.closest(DIALOGS) ?? null
  return [...document.querySelectorAll(DIALOGS)].at(-1) ?? null
}

/** Escape closes the dialog that has the focus, even when a toast opened above it later. */
const leaveEscape = (event: KeyboardEvent) => {
  const box = dialogInUse()
  const close = box?.querySelector<HTMLElement>('[data-escape]')
  if (!close) return
  event.preventDefault()
  close.click()
}

export function Toast(props: ToastProps) {
  const { title, description, variant, durationMs, action, isOpen, onClose } = props
  const hasMark = title.startsWith(CROSS_MARK)
  return (
    <Radix.Root
      open={isOpen}
      onOpenChange={(next) => {
        if (next) return
        leadBack(document.getElementById(VIEWPORT_ID))
        onClose()
      }}
      onEscapeKeyDown={leaveEscape}
      duration={durationMs}
      type="foreground"
      className={cn(
        'relative flex items-start gap-3 rounded-xl border border-line bg-surface p-4 pr-11 shadow-floating data-[state=closed]:animate-fade-out data-[state=open]:animate-rise data-[swipe=end]:animate-fade-out data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        variant === 'error' && 'border-bad/35',
      )}
    >
      {variant === 'error' && !hasMark && (
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      )}
      {variant === 'success' && (
        <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
      )}
      <div className="grid min-w-0 gap-0.5">
        <Radix.Title className="font-medium text-ink text-sm">
          {hasMark ? <MarkedTitle title={title} /> : title}
        </Radix.Title>
        {description && (
          <Radix.Description className="break-words text-soft text-sm">
            {description}
          </Radix.Description>
        )}
      </div>
      {action && (
        <Radix.Action asChild altText={action.label} onClick={action.run}>
          <Button variant="link" size="inline" className="-my-0.5 ml-auto">
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <Button
          variant="quiet"
          size="iconSmall"
          aria-label="Close notification"
          className="absolute top-2.5 right-2.5 size-7"
        >
          <X aria-hidden />
        </Button>
      </Radix.Close>
    </Radix.Root>
  )
}

/** Draws the mark as an icon, because some machines have no glyph for it; the character stays as invisible text. */
function MarkedTitle({ title }: { title: string }) {
  return (
    <>
      <span className="relative mr-0.5 inline-block size-[1em] overflow-hidden align-[-0.1em] text-transparent">
        {CROSS_MARK}
        <X className="absolute inset-0 size-full text-bad" strokeWidth={4} aria-hidden />
      </span>
      {title.slice(CROSS_MARK.length)}
    </>
  )
}

export function ToastViewport() {
  const list = useRef<HTMLOListElement>(null)
  useClearPlace(list)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees where the focus came from
    <div id={VIEWPORT_ID} onFocus={noteWhence}>
      <Radix.Viewport
        ref={list}
        // On a phone so narrow that it fits between the checkboxes and the stars of a list.
        className="fixed right-13 bottom-4 z-[60] print:hidden w-[calc(100%-6.5rem)] outline-none sm:right-auto sm:left-4 sm:w-96"
      />
    </div>
  )
}
