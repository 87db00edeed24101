import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

type SheetProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  side?: 'left' | 'right'
  /** For screen readers, not visible. */
  title: string
  children: ReactNode
  className?: string
  /** Called on closing; preventing the event keeps the focus from returning. */
  onCloseAutoFocus?: (event: Event) => void
}

/** A panel at the side of the window. */
export function Sheet({
  isOpen,
  onOpenChange,
  side = 'right',
  title,
  children,
  className,
  onCloseAutoFocus,
}: SheetProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
          className={cn(
            'fixed inset-y-0 z-50 flex w-80 max-w-[88vw] flex-col shadow-floating focus:outline-none',
            side === 'left'
              ? 'left-0 animate-slide-left border-line border-r'
              : 'right-0 animate-slide-right border-line border-l',
            className,
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
