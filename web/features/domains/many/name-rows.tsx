import { CircleAlert, CircleCheck } from 'lucide-react'
import { useMemo } from 'react'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import type { NameRow } from './read-names.ts'

type NameRowsProps = { rows: readonly NameRow[]; onTake: (row: NameRow) => void }

/** Rows with a fault first: they are what there is to do. */
export function NameRows({ rows, onTake }: NameRowsProps) {
  const sorted = useMemo(
    () => rows.toSorted((a, b) => Number(a.fault === '') - Number(b.fault === '')),
    [rows],
  )
  return (
    <DataTable
      label="Names"
      rows={sorted}
      columns={useColumns(onTake)}
      getRowId={({ start }) => String(start)}
      bodyMaxHeight="24rem"
      empty={null}
      className="border-line border-t"
    />
  )
}

const useColumns = (onTake: (row: NameRow) => void): readonly Column<NameRow>[] =>
  useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        className: 'max-w-0 w-1/2',
        cell: ({ name }) => (
          <span dir="auto" title={name} className="block truncate font-medium">
            {name}
          </span>
        ),
      },
      {
        id: 'verdict',
        header: 'What becomes of it',
        cell: (row) => <Verdict row={row} onTake={() => onTake(row)} />,
      },
    ],
    [onTake],
  )

function Verdict({ row, onTake }: { row: NameRow; onTake: () => void }) {
  const { fault, proposal } = row
  if (fault === '')
    return (
      <span className="flex items-center gap-1.5 text-good">
        <CircleCheck className="size-4 shrink-0" aria-hidden />
        Will be added
      </span>
    )
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="flex items-center gap-1.5 text-bad">
        <CircleAlert className="size-4 shrink-0" aria-hidden />
        {fault}
      </span>
      {proposal !== null && (
        <Button size="small" variant="secondary" onClick={onTake}>
          Use {proposal}
        </Button>
      )}
    </span>
  )
}
