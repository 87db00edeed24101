import { ScrollText } from 'lucide-react'
import {
  actionOrder,
  listOperatorActions,
  type OperatorAction,
} from '#contract/operator/actions.ts'
import { formatMoment } from '#web/lib/format.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

export function ActionList() {
  const { place, answer, read } = usePagedList(listOperatorActions, actionOrder.options)
  return (
    <PagedTable
      label="log"
      title={(count) => `What operators did: ${count}`}
      place={place}
      answer={answer}
      columns={sortableColumns}
      getRowId={({ _id }) => _id}
      exported={{ name: 'operator-log', cells, read }}
      empty={
        <EmptyState
          icon={ScrollText}
          title="No operator did anything yet"
          description="Each change by an operator is listed here, from the browser and from the terminal."
        />
      }
    />
  )
}

const cells: readonly Cell<OperatorAction>[] = [
  ['When', ({ at }) => momentText(at)],
  ['What', ({ verb }) => verb],
  ['To', ({ subject }) => subject],
  ['Detail', ({ detail }) => detail],
  ['By', ({ operator }) => operator],
  ['Workspace', ({ workspaceId }) => workspaceId ?? ''],
]

export const actionColumns: readonly Column<OperatorAction>[] = [
  {
    id: 'at',
    header: 'When',
    className: 'w-px whitespace-nowrap tabular-nums @max-xl:hidden',
    cell: ({ at }) => <LocalTime at={at} format={formatMoment} />,
  },
  {
    id: 'what',
    header: 'What',
    className: 'w-full max-w-0',
    cell: ({ at, operator, verb, subject, detail }) => (
      <span className="grid gap-0.5">
        <span className="wrap-anywhere">
          <span className="font-medium">{verb}</span> {subject}
        </span>
        {detail !== '' && <span className="wrap-anywhere text-soft text-xs">{detail}</span>}
        {/* In a narrow table the other columns stand here. */}
        <span className="wrap-anywhere @xl:hidden text-soft text-xs">
          <LocalTime at={at} format={formatMoment} /> by {operator}
        </span>
      </span>
    ),
  },
  {
    id: 'operator',
    header: 'By',
    className: 'w-px whitespace-nowrap @max-xl:hidden',
    cell: ({ operator }) => operator,
  },
]

const sortableColumns = actionColumns.map((column) => ({
  ...column,
  isSortable: actionOrder.options.some((order) => order === column.id),
}))
