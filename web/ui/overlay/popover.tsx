import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

type PopoverProps = {
  trigger: ReactNode
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** Name of the panel for screen readers. */
  label?: string
  /** Or the id of the element that names it. */
  labelledBy?: string
  /** true inside a dialog: otherwise a list in the panel cannot scroll. */
  isModal?: boolean
  align?: 'start' | 'center' | 'end'
  className?: string
  /** Takes the focus when the panel closes, in place of the trigger. */
  focusAfter?: () => void
  children: ReactNode
}

/** A small panel at a button; an outside click or Escape closes it. */
export function Popover({
  trigger,
  label,
  labelledBy,
  isModal = false,
  align = 'start',
  className,
  focusAfter,
  children,
  ...state
}: PopoverProps) {
  return (
    <Radix.Root
      modal={isModal}
      {...(state.isOpen === undefined ? {} : { open: state.isOpen })}
      {...(state.onOpenChange ? { onOpenChange: state.onOpenChange } : {})}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          aria-labelledby={labelledBy}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (!focusAfter) return
            event.preventDefault()
            focusAfter()
          }}
          className={cn(
            'z-50 min-w-(--radix-popover-trigger-width) animate-appear rounded-xl border border-line bg-surface p-1 shadow-floating focus:outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
