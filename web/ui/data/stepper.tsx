import { Check } from 'lucide-react'
import { cn } from '../cn.ts'

type StepperProps = {
  'aria-label': string
  steps: readonly string[]
  /** Index of the current step. */
  current: number
  /** Called for any step; the caller decides whether it can be reached. */
  onStep?: (index: number) => void
  className?: string
}

export function Stepper({ steps, current, onStep, className, ...rest }: StepperProps) {
  return (
    <nav {...rest} className={cn('@container', className)}>
      <ol className="flex items-center gap-2 sm:gap-3">
        {steps.map((step, index) => (
          <li key={step} className={cn('flex items-center gap-2 sm:gap-3', index > 0 && 'flex-1')}>
            {index > 0 && (
              <span
                aria-hidden
                className={cn(
                  'h-px min-w-3 flex-1',
                  index <= current ? 'bg-accent-ink' : 'bg-line',
                )}
              />
            )}
            <button
              type="button"
              onClick={() => onStep?.(index)}
              {...(index === current ? { 'aria-current': 'step' as const } : {})}
              className="group flex items-center gap-2 rounded-control p-1"
            >
              <StepMark index={index} current={current} />
              <span
                className={cn(
                  'text-left text-sm @max-lg:sr-only',
                  index === current ? 'font-medium text-ink' : 'text-soft group-hover:text-ink',
                )}
              >
                {step}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p aria-hidden className="mt-3 font-medium text-sm @lg:hidden">
        {current + 1}. {steps[current]}
      </p>
    </nav>
  )
}

function StepMark({ index, current }: { index: number; current: number }) {
  return (
    <span
      // The list announces the position; the name of a step is only its text.
      aria-hidden
      className={cn(
        'grid size-7 shrink-0 place-items-center rounded-full border font-semibold text-xs tabular-nums transition-colors',
        index < current && 'border-accent bg-accent text-on-accent',
        index === current && 'border-accent-ink bg-accent-wash text-accent-ink',
        index > current && 'border-line bg-surface text-soft',
      )}
    >
      {index < current ? <Check className="size-3.5" strokeWidth={3} /> : index + 1}
    </span>
  )
}
