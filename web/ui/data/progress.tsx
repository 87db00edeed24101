import { Progress as Radix } from 'radix-ui'
import { cn } from '../cn.ts'

type ProgressProps = { percent: number; label: string; tone?: 'accent' | 'bad'; className?: string }

export function Progress({ percent, label, tone = 'accent', className }: ProgressProps) {
  const shown = Math.max(0, Math.min(100, percent))
  return (
    <Radix.Root
      value={shown}
      aria-label={label}
      className={cn('h-1.5 overflow-hidden rounded-full bg-hover', className)}
    >
      <Radix.Indicator
        style={{ width: `${shown}%` }}
        className={cn(
          'h-full rounded-full transition-[width] duration-300',
          tone === 'bad' ? 'bg-bad-fill' : 'bg-accent',
        )}
      />
    </Radix.Root>
  )
}
