import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

type PopoverProps = {
  trigger: ReactNode
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** What the panel is, read aloud. */
  label?: string
  /** Or the id of what names it. */
  labelledBy?: string
  /** Inside a dialog: only then does a list in the panel scroll. */
  isModal?: boolean
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

/** A small panel at a button; closes on an outside click and on Escape. */
export function Popover({
  trigger,
  label,
  labelledBy,
  isModal = false,
  align = 'start',
  className,
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
