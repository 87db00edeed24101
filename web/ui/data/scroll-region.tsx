import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

type ScrollRegionProps = { label: string; className?: string; children: ReactNode }

/** Scrolling text without a focusable element: it takes the focus itself, so that the keyboard can scroll it. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className={cn('-outline-offset-2 overflow-y-auto', className)}
    >
      {children}
    </section>
  )
}
