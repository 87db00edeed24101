import { Tooltip as Radix } from 'radix-ui'
import { type FocusEvent, type ReactNode, useEffect, useState } from 'react'
import { isMovedByKeys, watchKeys } from './moved-by-keys.ts'

export const TOOLTIP_DELAY_MS = 700

export function TooltipProvider({ children }: { children: ReactNode }) {
  useEffect(watchKeys, [])
  return <Radix.Provider delayDuration={TOOLTIP_DELAY_MS}>{children}</Radix.Provider>
}

type TooltipProps = {
  text: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  delayMs?: number
  /** Shows nothing. The child stays the same element, so that it keeps the focus. */
  isOff?: boolean
  /** One element that takes a ref and focus. */
  children: ReactNode
}

/** Where a script returned the focus, or a finger put it, the tooltip would lie on what is read there. */
const onlyByKeys = (event: FocusEvent) => {
  if (!isMovedByKeys()) event.preventDefault()
}

export function Tooltip({ text, side = 'top', delayMs, isOff = false, children }: TooltipProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Radix.Root
      open={isOpen && !isOff}
      onOpenChange={setIsOpen}
      {...(delayMs === undefined ? {} : { delayDuration: delayMs })}
    >
      <Radix.Trigger asChild onFocus={onlyByKeys}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-canvas text-xs shadow-floating"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
