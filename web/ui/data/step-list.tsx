import { Check, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '../cn.ts'
import { Card, CardHeader } from './card.tsx'

export type Step = { title: string; description: string; path: string; isDone: boolean }

type StepListProps = { title: string; description: string; steps: readonly Step[] }

/** Steps with their links; the first that is not done stands out. Renders nothing when all are done. */
export function StepList({ title, description, steps }: StepListProps) {
  const next = steps.findIndex((step) => !step.isDone)
  if (next === -1) return null
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={title}
        description={description}
        aside={
          <span className="text-soft text-sm tabular-nums">
            {formatCount(steps.filter((step) => step.isDone).length)} of {formatCount(steps.length)}
          </span>
        }
      />
      <ol aria-label={title}>
        {steps.map((step, index) => (
          <li key={step.title} className="border-line border-t">
            <Link
              to={step.path}
              className={cn(
                'flex items-center gap-4 px-5 py-4 transition-colors -outline-offset-2 hover:bg-sunken',
                index === next && 'bg-accent-wash/50',
              )}
            >
              <span
                className={cn(
                  'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-xs tabular-nums',
                  step.isDone && 'bg-good-wash text-good',
                  !step.isDone && index === next && 'bg-accent text-on-accent',
                  !step.isDone && index !== next && 'border border-line text-soft',
                )}
              >
                {step.isDone ? <Check className="size-4" aria-label="Done" /> : index + 1}
              </span>
              <span className="grid min-w-0 flex-1 gap-0.5">
                <span className="font-medium text-sm">{step.title}</span>
                <span className="wrap-anywhere text-sm text-soft">{step.description}</span>
              </span>
              <ChevronRight className="size-4 shrink-0 text-soft" aria-hidden />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}
