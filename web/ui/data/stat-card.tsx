import type { ComponentType, CSSProperties, ReactNode } from 'react'
import { cn } from '../cn.ts'
import { Skeleton } from '../state/loading.tsx'

type StatisticCardProps = {
  title: string
  /** `undefined` while it is being read. */
  count: number | string | undefined
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** Any CSS colour; the card's own surface when absent. */
  backgroundColor?: string
  /** White unless the card has its own surface. */
  textColor?: string
  className?: string
  /** A line or a bar below the figure. */
  children?: ReactNode
}

/** One figure with its name. With a background colour it is filled, else it is a quiet card. */
export function StatisticCard({
  title,
  count,
  icon: Icon,
  backgroundColor,
  textColor = 'white',
  className,
  children,
}: StatisticCardProps) {
  const isFilled = backgroundColor !== undefined
  const style: CSSProperties = isFilled ? { backgroundColor, color: textColor } : {}
  return (
    <section
      aria-label={title}
      style={style}
      className={cn(
        'flex min-w-0 flex-col rounded-card p-4 shadow-raised sm:p-5',
        !isFilled && 'border border-line bg-surface text-ink',
        className,
      )}
    >
      <div className="flex items-center justify-between gap-2">
        <h2 className={cn('font-medium text-sm', !isFilled && 'text-soft')}>{title}</h2>
        <Icon className={cn('size-4 shrink-0', !isFilled && 'text-soft')} aria-hidden />
      </div>
      {count === undefined ? (
        <Skeleton className="mt-2 h-7 w-16 sm:mt-3 sm:mb-1" />
      ) : (
        <p className="mt-1 font-semibold text-2xl tabular-nums tracking-tight sm:mt-2 sm:text-3xl">
          {count}
        </p>
      )}
      {children && <div className="pt-2 text-xs">{children}</div>}
    </section>
  )
}
