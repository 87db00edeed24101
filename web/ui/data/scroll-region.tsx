import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

type ScrollRegionProps = { label: string; className?: string; children: ReactNode }

/** Text that scrolls by itself and has nothing in it that takes the focus: whoever has no mouse scrolls it by keys. */
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
