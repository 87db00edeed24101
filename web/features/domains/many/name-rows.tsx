import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react'
import { useMemo } from 'react'
import { shownHost } from '#web/lib/spelling/shown-host.ts'
import { cn } from '#web/ui/cn.ts'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { DidYouMean } from '#web/ui/form/did-you-mean.tsx'
import type { NameKind, NameRow } from './read-names.ts'

const order: readonly NameKind[] = ['fault', 'add', 'same', 'there', 'left']

type NameRowsProps = {
  rows: readonly NameRow[]
  /** Takes the domain that is probably meant; absent: it is too late. */
  onMend?: ((row: NameRow) => void) | undefined
}

/** Rows with a fault first: they are what there is to do. What needs nothing comes last. */
export function NameRows({ rows, onMend }: NameRowsProps) {
  const sorted = useMemo(
    () => rows.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    [rows],
  )
  const columns = useMemo(() => columnsWith(onMend), [onMend])
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

const columnsWith = (onMend: NameRowsProps['onMend']): readonly Column<NameRow>[] => [
  {
    id: 'name',
    header: 'Name',
    className: 'w-1/2',
    cell: ({ name, kind }) => (
      <span
        dir="auto"
        className={cn('wrap-anywhere block', kind === 'left' ? 'text-soft' : 'font-medium')}
      >
        {shownHost(name)}
        {shownHost(name) !== name && (
          <span className="wrap-anywhere block font-normal text-soft text-xs">{name}</span>
        )}
      </span>
    ),
  },
  { id: 'verdict', header: 'What becomes of it', cell: (row) => <Verdict {...{ row, onMend }} /> },
]

const looks = {
  add: { Icon: CircleCheck, ink: 'text-good' },
  fault: { Icon: CircleAlert, ink: 'text-bad' },
  other: { Icon: CircleMinus, ink: 'text-soft' },
} as const

type VerdictProps = { row: NameRow; onMend: NameRowsProps['onMend'] }

function Verdict({ row, onMend }: VerdictProps) {
  const { kind, note, meant } = row
  const { Icon, ink } = looks[kind === 'add' || kind === 'fault' ? kind : 'other']
  return (
    <span className={cn('flex items-start gap-1.5', ink)}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span className="grid">
        {kind === 'add' ? 'Will be added' : note}
        {kind === 'add' && note !== '' && (
          <span className="wrap-anywhere text-soft text-xs">{note}</span>
        )}
        {meant !== null && onMend && (
          <span className="wrap-anywhere text-ink">
            <DidYouMean meant={meant} onTake={() => onMend(row)} />
          </span>
        )}
      </span>
    </span>
  )
}
