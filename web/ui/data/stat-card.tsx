import type { ComponentType, CSSProperties, ReactNode } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '../cn.ts'
import { Skeleton } from '../state/loading.tsx'

type Figure = Pick<StatisticCardProps, 'title' | 'icon'> & {
  /** `undefined` while it is being read. */
  count: number | undefined
  /** A line below it. */
  note?: string
}

type StatisticCardsProps = {
  /** Three of them. */
  figures: readonly Figure[]
  /** true: loading failed, so missing figures are shown as unavailable. */
  isFailed: boolean
}

/** Figures above a list, side by side. In a narrow place titles take two lines: all of them, so that the figures stand level. */
export function StatisticCards({ figures, isFailed }: StatisticCardsProps) {
  return (
    <div className="@container">
      <div className="grid grid-cols-3 gap-2 sm:gap-4 @max-2xl:[&_h2]:min-h-10 max-sm:[&_svg]:hidden">
        {figures.map(({ title, icon, count, note }) => (
          <StatisticCard
            key={title}
            className="max-sm:p-3"
            title={title}
            count={count === undefined ? (isFailed ? '–' : undefined) : formatCount(count)}
            icon={icon}
          >
            {note && <p className="text-soft">{note}</p>}
          </StatisticCard>
        ))}
      </div>
    </div>
  )
}

type StatisticCardProps = {
  title: string
  /** `undefined` while loading. */
  count: number | string | undefined
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** Any CSS colour; undefined: the colour of the card. */
  backgroundColor?: string
  /** White unless the card has its own colour. */
  textColor?: string
  className?: string
  /** A line or a bar below the number. */
  children?: ReactNode
}

/** A number with its name. With a background colour the card is filled. */
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
