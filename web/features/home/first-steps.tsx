import { Check, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Stats } from '#contract/stats.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'

type Step = { title: string; description: string; path: string; isDone: boolean }

const stepsFor = ({ domains, mailboxes }: Stats): readonly Step[] => [
  {
    title: 'Add a domain',
    description: 'Any domain or subdomain that you own.',
    path: domains.total > 0 ? paths.domains() : paths.addDomain(),
    isDone: domains.total > 0,
  },
  {
    title: 'Publish its DNS records',
    description: 'We show what to publish where, and check it for you.',
    path: paths.domains(),
    isDone: domains.active > 0,
  },
  {
    title: 'Create mailboxes',
    description: 'One by one, or many at once.',
    path: paths.mailboxes(),
    isDone: mailboxes.total > 0,
  },
  {
    title: 'Read and write mail',
    description: 'Activate a mailbox, and open it here.',
    path: mailboxes.active > 0 ? paths.viewMail() : paths.mailboxes(),
    isDone: mailboxes.active > 0,
  },
]

/** The way from an empty workspace to working mail; gone once it has been walked. */
export function FirstSteps({ stats }: { stats: Stats }) {
  const steps = stepsFor(stats)
  const next = steps.findIndex((step) => !step.isDone)
  if (next === -1) return null
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title="First steps"
        description="From a domain to working mail"
        aside={
          <span className="text-soft text-sm tabular-nums">
            {steps.filter((step) => step.isDone).length} of {steps.length}
          </span>
        }
      />
      <ol>
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
              <span className="grid flex-1 gap-0.5">
                <span className="font-medium text-sm">{step.title}</span>
                <span className="text-sm text-soft">{step.description}</span>
              </span>
              <ChevronRight className="size-4 shrink-0 text-soft" aria-hidden />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}
