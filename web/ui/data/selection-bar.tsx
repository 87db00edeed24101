import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '../form/button.tsx'
import { useFocusPassedOn } from '../use-focus-passed-on.ts'

type SelectionBarProps = { count: number; onClear: () => void; children: ReactNode }

/** What can be done with the selected rows of a list. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const self = useRef<HTMLElement>(null)
  useFocusPassedOn(self)
  return (
    <section
      ref={self}
      aria-label="Selected rows"
      className="flex flex-wrap items-center gap-2 border-line border-b bg-accent-wash/60 px-5 py-2"
    >
      <p role="status" className="mr-1 font-medium text-sm tabular-nums">
        Selected: {formatCount(count)}
      </p>
      {children}
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label="Clear the selection"
        className="ml-auto"
        onClick={onClear}
      >
        <X aria-hidden />
      </Button>
    </section>
  )
}
