import { RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import { Button } from '../form/button.tsx'

type ErrorStateProps = {
  title: ReactNode
  description?: ReactNode
  onRetry?: () => void
  /** Another action beside 'Try again'. */
  action?: ReactNode
  className?: string
}

/** Says that something could not be loaded, and what to do. */
export function ErrorState({ title, description, onRetry, action, className }: ErrorStateProps) {
  return (
    <div
      role="alert"
      className={cn(
        'flex flex-col items-center justify-center gap-4 px-6 py-14 text-center',
        className,
      )}
    >
      <span className="grid size-12 place-items-center rounded-2xl bg-bad-wash text-bad">
        <TriangleAlert className="size-5" aria-hidden />
      </span>
      <div className="grid max-w-sm gap-1">
        <p className="font-semibold text-base text-ink">{title}</p>
        {description && <p className="text-soft text-sm text-pretty">{description}</p>}
      </div>
      {(onRetry || action) && (
        <div className="flex flex-wrap justify-center gap-2">
          {onRetry && (
            <Button variant="secondary" onClick={onRetry}>
              <RotateCw aria-hidden />
              Try again
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  )
}
