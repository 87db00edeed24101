/** What this installation lacks: what is wrong first, with what mends it, then what could not be known, then the rest. */
import { CircleCheck, CircleHelp, CircleX, type LucideIcon, RotateCw } from 'lucide-react'
import {
  checkTitles,
  getHealth,
  type Health,
  type HealthFinding,
  type HealthState,
} from '#contract/operator/health.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount, formatMoment } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { RemedyBox } from './remedy-box.tsx'

/** Each look asks servers elsewhere, so it is repeated when somebody asks for it. */
const FRESH_MS = 10 * 60_000

export function HealthList() {
  const { data, error, isFetching, refetch } = useApi(
    getHealth,
    {},
    { staleTime: FRESH_MS, refetchOnWindowFocus: false, retry: false },
  )
  const check = () => void refetch()
  if (error && !isFetching)
    return (
      <Card>
        <ErrorState
          title="The installation could not be checked"
          description={error.message}
          onRetry={check}
        />
      </Card>
    )
  if (!data) return <Checking />
  return (
    <div className="grid gap-6">
      <Sum health={data} isFetching={isFetching} onCheck={check} />
      <Findings state="wrong" title="To mend" items={data.items} />
      <Findings state="unknown" title="Could not be found out" items={data.items} />
      <Good items={data.items.filter(({ state }) => state === 'good')} />
    </div>
  )
}

const looks: Record<HealthState, { icon: LucideIcon; tone: string; wash: string; label: string }> =
  {
    wrong: { icon: CircleX, tone: 'text-bad', wash: 'bg-bad-wash', label: 'Wrong' },
    unknown: { icon: CircleHelp, tone: 'text-warn', wash: 'bg-warn-wash', label: 'Not known' },
    good: { icon: CircleCheck, tone: 'text-good', wash: 'bg-good-wash', label: 'Good' },
  }

type SumProps = { health: Health; isFetching: boolean; onCheck: () => void }

function Sum({ health: { items, checkedAt }, isFetching, onCheck }: SumProps) {
  // The list begins with the worst.
  const { icon: Icon, tone, wash } = looks[items[0]?.state ?? 'good']
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-5">
      <span className={cn('grid size-10 shrink-0 place-items-center rounded-full', wash, tone)}>
        <Icon className="size-5" aria-hidden />
      </span>
      <div className="grid min-w-0 grow basis-52 gap-0.5" aria-live="polite">
        <h2 className="font-semibold text-base tracking-tight">{sentenceOf(items)}</h2>
        <p className="text-soft text-sm">
          Checked <LocalTime at={checkedAt} format={formatMoment} />
        </p>
      </div>
      <Button
        variant="secondary"
        className="max-sm:w-full"
        isPending={isFetching}
        onClick={onCheck}
      >
        {!isFetching && <RotateCw aria-hidden />}
        {isFetching ? 'Checking...' : 'Check again'}
      </Button>
    </Card>
  )
}

const sentenceOf = (items: readonly HealthFinding[]): string => {
  const count = (state: HealthState) => items.filter((item) => item.state === state).length
  const [wrong, unknown] = [count('wrong'), count('unknown')]
  if (wrong > 0)
    return wrong === 1 ? 'One thing is wrong' : `${formatCount(wrong)} things are wrong`
  if (unknown === 0) return 'All is well'
  return `Nothing is wrong, and ${unknown === 1 ? 'one thing' : `${formatCount(unknown)} things`} could not be found out`
}

type FindingsProps = { state: HealthState; title: string; items: readonly HealthFinding[] }

function Findings({ state, title, items }: FindingsProps) {
  const mine = items.filter((item) => item.state === state)
  if (mine.length === 0) return null
  return (
    <Card className={cn('overflow-hidden', state === 'wrong' && 'border-l-4 border-l-bad')}>
      <CardHeader title={title} />
      <ul aria-label={title}>
        {mine.map((item) => (
          <Finding key={`${item.check} ${item.says}`} item={item} />
        ))}
      </ul>
    </Card>
  )
}

function Finding({ item: { check, state, says, mending, remedy } }: { item: HealthFinding }) {
  const { icon: Icon, tone, label } = looks[state]
  return (
    <li className="flex gap-3 border-line border-t px-5 py-4">
      <Icon className={cn('mt-0.5 size-5 shrink-0', tone)} aria-label={label} />
      <div className="grid min-w-0 flex-1 gap-1">
        <h3 className="font-medium text-soft text-xs">{checkTitles[check]}</h3>
        <p className="wrap-anywhere text-pretty font-medium text-sm">{says}</p>
        {mending !== '' && <p className="wrap-anywhere text-pretty text-sm text-soft">{mending}</p>}
        {remedy && <RemedyBox remedy={remedy} />}
      </div>
    </li>
  )
}

function Good({ items }: { items: readonly HealthFinding[] }) {
  if (items.length === 0) return null
  return (
    <Card className="overflow-hidden">
      <CardHeader title="In order" />
      <ul aria-label="In order">
        {items.map(({ check, says }) => (
          <li key={`${check} ${says}`} className="flex gap-3 border-line border-t px-5 py-2.5">
            <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-label="Good" />
            <p className="grid min-w-0 flex-1 gap-x-4 text-sm sm:grid-cols-[12rem_1fr]">
              <span className="font-medium">{checkTitles[check]}</span>
              <span className="wrap-anywhere text-pretty text-soft">{says}</span>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const COMING = Object.keys(checkTitles).slice(0, 6)

function Checking() {
  return (
    <Card className="overflow-hidden">
      <p role="status" className="px-5 py-4 font-semibold text-sm">
        Checking this installation. It takes up to ten seconds.
      </p>
      {COMING.map((check) => (
        <div key={check} aria-hidden className="flex gap-3 border-line border-t px-5 py-3">
          <Skeleton className="size-5 rounded-full" />
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-5 flex-1 max-sm:hidden" />
        </div>
      ))}
    </Card>
  )
}
