import { Check, CircleAlert, Clock, type LucideIcon, Send } from 'lucide-react'
import type { JourneyStep } from '#contract/mail/sending.ts'
import { formatMoment } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'

const looks: Record<JourneyStep['kind'], { icon: LucideIcon; color: string }> = {
  arrived: { icon: Check, color: 'text-good' },
  accepted: { icon: Send, color: 'text-soft' },
  delivered: { icon: Check, color: 'text-good' },
  deferred: { icon: Clock, color: 'text-warn' },
  failed: { icon: CircleAlert, color: 'text-bad' },
  next: { icon: Clock, color: 'text-soft' },
}

/** The way of a message, step by step. */
export function JourneySteps({ steps }: { steps: readonly JourneyStep[] }) {
  return (
    <ol className="grid gap-2.5">
      {steps.map(({ at, kind, text, reply }) => {
        const { icon: Icon, color } = looks[kind]
        return (
          <li key={`${at} ${kind}`} className="flex gap-2.5">
            <Icon className={cn('mt-0.5 size-3.5 shrink-0', color)} aria-hidden />
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p className="wrap-anywhere">{text}</p>
              {reply !== '' && (
                <p className="wrap-anywhere font-mono text-soft">
                  <span className="sr-only">The server said: </span>
                  {reply}
                </p>
              )}
              <LocalTime at={at} format={formatMoment} className="text-soft tabular-nums" />
            </div>
          </li>
        )
      })}
    </ol>
  )
}
