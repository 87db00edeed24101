import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { listOperatorActions, type OperatorAction } from '#contract/operator/actions.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatMoment } from '#web/lib/format.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { PAGE_SIZE, PagedTable } from './paged-table.tsx'

/** What operators did, newest first. */
export function ActionList() {
  const { search, settled, setSearch } = useListPlace([])
  const [offset, setOffset] = useState(0)
  const query = { ...(settled !== '' && { q: settled }), limit: PAGE_SIZE, cursor: String(offset) }
  const answer = useApi(listOperatorActions, { query }, { placeholderData: (before) => before })
  return (
    <PagedTable
      label="log"
      title={(count) => `What operators did: ${count}`}
      answer={{ ...answer, refetch: () => void answer.refetch() }}
      columns={actionColumns}
      getRowId={({ _id }) => _id}
      search={search}
      onSearch={(text) => {
        setOffset(0)
        setSearch(text)
      }}
      offset={offset}
      onOffset={setOffset}
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
