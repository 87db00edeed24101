import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'
import { inputStyle } from './field.tsx'

type ListButtonProps = ComponentProps<'button'> & {
  /** Nothing is chosen: its text is a placeholder. */
  isEmpty: boolean
}

/** The button of every list that opens: looks like an input, and says what is chosen. */
export function ListButton({ isEmpty, className, children, ...rest }: ListButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cn(
        inputStyle,
        'flex h-10 max-md:h-11 items-center justify-between gap-2 text-left',
        className,
      )}
    >
      <span className={cn('truncate', isEmpty && 'text-soft')}>{children}</span>
      <ChevronDown className="size-4 shrink-0 text-soft" aria-hidden />
    </button>
  )
}
