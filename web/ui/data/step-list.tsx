import { Check, ChevronRight, Hourglass } from 'lucide-react'
import { Link } from 'react-router'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '../cn.ts'
import { Card, CardHeader } from './card.tsx'

export type Step = {
  title: string
  description: string
  path: string
  isDone: boolean
  /** Nothing can be done about it now: it is up to other people. */
  isWaiting?: boolean
}

/** The first step that can be done now, else the first that is not done; undefined when all are. */
export const nextOf = (steps: readonly Step[]): Step | undefined =>
  steps.find(({ isDone, isWaiting }) => !isDone && !isWaiting) ??
  steps.find(({ isDone }) => !isDone)

type StepListProps = { title: string; description: string; steps: readonly Step[] }

/** Steps with their links; the next one stands out. Renders nothing when all are done. */
export function StepList({ title, description, steps }: StepListProps) {
  const next = nextOf(steps)
  if (!next) return null
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
              aria-current={step === next ? 'step' : undefined}
              className={cn(
                'flex items-center gap-4 px-5 py-4 transition-colors -outline-offset-2 hover:bg-sunken',
                step === next && 'bg-accent-wash/50',
              )}
            >
              <span
                className={cn(
                  'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-xs tabular-nums',
                  step.isDone && 'bg-good-wash text-good',
                  step === next && 'bg-accent text-on-accent',
                  !step.isDone && step !== next && 'border border-line text-soft',
                )}
              >
                <StepSign {...{ step, index }} />
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

function StepSign({ step: { isDone, isWaiting }, index }: { step: Step; index: number }) {
  if (isDone) return <Check className="size-4" aria-label="Done" />
  return isWaiting ? <Hourglass className="size-3.5" aria-label="Waiting" /> : index + 1
}
