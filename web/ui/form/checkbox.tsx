import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'

/** Checked, unchecked, or `'indeterminate'` for some of many. */
export function Checkbox({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        // The pseudo-element makes the target 24 px without making the box larger.
        'group relative grid size-4 shrink-0 place-items-center rounded-[5px] border border-control bg-surface text-on-accent transition-colors before:absolute before:-inset-1.25 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-bad data-[state=checked]:border-accent data-[state=indeterminate]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:bg-accent',
        className,
      )}
      {...rest}
    >
      <Radix.Indicator>
        <Check
          className="size-3 group-data-[state=indeterminate]:hidden"
          strokeWidth={3.2}
          aria-hidden
        />
        <Minus
          className="hidden size-3 group-data-[state=indeterminate]:block"
          strokeWidth={3.2}
          aria-hidden
        />
      </Radix.Indicator>
    </Radix.Root>
  )
}
