import type { ComponentType, ReactNode } from 'react'
import { cn } from '../cn.ts'

type EmptyStateProps = {
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  title: ReactNode
  description?: ReactNode
  /** A button or link to the next step. */
  action?: ReactNode
  className?: string
}

export function EmptyState({ icon: Icon, title, description, action, className }: EmptyStateProps) {
  return (
    <div
      className={cn(
        'flex flex-col items-center justify-center gap-4 px-6 py-14 text-center',
        className,
      )}
    >
      <span className="grid size-12 place-items-center rounded-2xl border border-line bg-sunken text-soft">
        <Icon className="size-5" aria-hidden />
      </span>
      <div className="grid max-w-sm gap-1">
        <p className="font-semibold text-base text-ink">{title}</p>
        {description && (
          <p className="wrap-anywhere text-pretty text-soft text-sm">{description}</p>
        )}
      </div>
      {action}
    </div>
  )
}
