import { shownAddress } from '#web/lib/spelling/shown-host.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import type { CheckedRow } from './private-fault.ts'

/** With the private addresses, when some were read. On a phone the address has everything below it. */
export const importColumns = (rows: readonly CheckedRow[]): Column<CheckedRow>[] =>
  rows.some(({ privateEmail }) => privateEmail !== '')
    ? columns.toSpliced(-1, 0, privateColumn)
    : columns

const columns: Column<CheckedRow>[] = [
  { id: 'row', header: 'Row', cell: ({ row }) => row, value: ({ row }) => row, className: 'w-px' },
  {
    ...{ id: 'name', header: 'Name', isSortable: true },
    value: ({ firstName, lastName }) => `${firstName} ${lastName}`,
    cell: ({ firstName, lastName }) => (
      <span dir="auto" className="wrap-anywhere">
        {firstName} {lastName}
      </span>
    ),
    className: 'max-sm:hidden',
  },
  {
    ...{ id: 'email', header: 'Email', isSortable: true },
    value: ({ email }) => email,
    cell: (row) => (
      <>
        <span dir="auto" className="wrap-anywhere block text-soft sm:hidden">
          {row.firstName} {row.lastName}
        </span>
        <span dir="auto" className="wrap-anywhere">
          {shownAddress(row.email)}
        </span>
        {row.privateEmail && (
          <span className="wrap-anywhere block text-soft sm:hidden">{row.privateEmail}</span>
        )}
        <span className="block pt-1 sm:hidden">
          <Verdict {...row} />
        </span>
      </>
    ),
    className: 'max-sm:w-full',
  },
  {
    ...{ id: 'result', header: 'Result' },
    cell: (row) => <Verdict {...row} />,
    className: 'max-sm:hidden',
  },
]

function Verdict({ result, reason }: CheckedRow) {
  return result === 'refused' ? (
    <span className="text-bad">{reason}</span>
  ) : (
    <Badge tone="good">{result === 'created' ? 'Created' : 'Ready'}</Badge>
  )
}

const privateColumn: Column<CheckedRow> = {
  ...{ id: 'private', header: 'Private email', isSortable: true },
  value: ({ privateEmail }) => privateEmail,
  cell: ({ privateEmail }) => (
    <span dir="auto" className="wrap-anywhere">
      {privateEmail}
    </span>
  ),
  className: 'max-sm:hidden',
}
