/** What the pages of one thing have in common: a workspace, a person, a mailbox, an invoice. */
import type { ReactNode } from 'react'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useIsOperator } from '#web/lib/api/use-can.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { Finder } from './finder.tsx'
import { OperatorsOnly } from './operators-only.tsx'

type Heading = { title: string; subtitle: ReactNode; actions?: ReactNode }

type OneThingProps<Thing> = {
  /** 'workspace'. */
  noun: string
  answer: { data: Thing | undefined; error: ApiError | null; refetch: () => unknown }
  /** Why there may be none. */
  missing: string
  heading: (thing: Thing) => Heading
  children: (thing: Thing) => ReactNode
}

/** The heading is one for all states: it keeps the focus when the thing has come. */
export function OneThing<Thing>({
  noun,
  answer,
  missing,
  heading,
  children,
}: OneThingProps<Thing>) {
  const { data, error, refetch } = answer
  const isOperator = useIsOperator()
  const { actions, ...words } = data ? heading(data) : { title: capitalised(noun) }
  return (
    <div className="grid gap-6">
      <PageHeading
        {...words}
        actions={
          isOperator && (
            <>
              <Finder />
              {actions}
            </>
          )
        }
      />
      <OperatorsOnly>
        {data ? (
          children(data)
        ) : error ? (
          <Unreadable noun={noun} error={error} missing={missing} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-96 w-full rounded-card" />
        )}
      </OperatorsOnly>
    </div>
  )
}

const capitalised = (noun: string): string => `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`

type UnreadableProps = { noun: string; error: ApiError; missing: string; onRetry: () => void }

function Unreadable({ noun, error, missing, onRetry }: UnreadableProps) {
  const isMissing = error.type === 'NOT_EXISTS'
  return (
    <Card>
      <ErrorState
        title={isMissing ? `There is no such ${noun}` : `Error loading the ${noun}`}
        description={isMissing ? missing : error.message}
        {...(isMissing ? {} : { onRetry })}
      />
    </Card>
  )
}

/** A longer list scrolls by itself. */
const MANY = 50
const BODY_MAX_HEIGHT = '35rem'

type PartProps<Row> = {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  id: (row: Row) => string
  none: string
}

export function Part<Row extends object>({ title, rows, columns, id, none }: PartProps<Row>) {
  return (
    <Card className="@container overflow-hidden">
      <CardHeader title={title} {...(rows.length === 0 && { description: none })} />
      {rows.length > 0 && (
        <DataTable
          label={title}
          rows={rows}
          columns={columns}
          getRowId={id}
          {...(rows.length > MANY && { bodyMaxHeight: BODY_MAX_HEIGHT })}
          className="border-line border-t"
          empty={null}
        />
      )}
    </Card>
  )
}

export function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} />
      <dl className="grid gap-x-6 gap-y-4 border-line border-t px-5 py-4 sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="grid min-w-0 content-start gap-0.5">
            <dt className="text-soft text-xs">{name}</dt>
            <dd className="wrap-anywhere text-sm tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

export type Fact = readonly [name: string, value: ReactNode]
