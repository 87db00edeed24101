import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react'
import { useMemo } from 'react'
import { cn } from '#web/ui/cn.ts'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import type { NameKind, NameRow } from './read-names.ts'

const order: readonly NameKind[] = ['fault', 'add', 'same', 'there', 'left']

/** Rows with a fault first: they are what there is to do. What needs nothing comes last. */
export function NameRows({ rows }: { rows: readonly NameRow[] }) {
  const sorted = useMemo(
    () => rows.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    [rows],
  )
  return (
    <DataTable
      label="Names"
      rows={sorted}
      columns={columns}
      getRowId={({ start, kind }) => `${start} ${kind}`}
      bodyMaxHeight="24rem"
      empty={null}
      className="border-line border-t"
    />
  )
}

const columns: readonly Column<NameRow>[] = [
  {
    id: 'name',
    header: 'Name',
    className: 'w-1/2',
    cell: ({ name, kind }) => (
      <span
        dir="auto"
        className={cn('wrap-anywhere block', kind === 'left' ? 'text-soft' : 'font-medium')}
      >
        {name}
      </span>
    ),
  },
  { id: 'verdict', header: 'What becomes of it', cell: (row) => <Verdict {...row} /> },
]

const looks = {
  add: { Icon: CircleCheck, ink: 'text-good' },
  fault: { Icon: CircleAlert, ink: 'text-bad' },
  other: { Icon: CircleMinus, ink: 'text-soft' },
} as const

function Verdict({ kind, note }: NameRow) {
  const { Icon, ink } = looks[kind === 'add' || kind === 'fault' ? kind : 'other']
  return (
    <span className={cn('flex items-start gap-1.5', ink)}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span className="grid">
        {kind === 'add' ? 'Will be added' : note}
        {kind === 'add' && note !== '' && (
          <span className="wrap-anywhere text-soft text-xs">{note}</span>
        )}
      </span>
    </span>
  )
}
