import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cn } from '../cn.ts'

type DisclosureProps = {
  /** Content of the button. */
  label: ReactNode
  /** Layout classes of the button. */
  className?: string
  /** Rendered only while it is open. */
  children: ReactNode
}

/** Details that few people need, folded behind a button. */
export function Disclosure({ label, className, children }: DisclosureProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={cn(
          'flex items-center gap-1 rounded-md py-1 pr-2 pl-0.5 text-sm text-soft hover:bg-hover hover:text-ink',
          className,
        )}
      >
        <ChevronRight
          aria-hidden
          className={cn('size-4 shrink-0 transition-transform', isOpen && 'rotate-90')}
        />
        {label}
      </button>
      <div id={id}>{isOpen && children}</div>
    </>
  )
}
