import type { ImportedRow } from '#contract/many-mailboxes.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import type { Column } from '#web/ui/data/table-model.ts'

export const importColumns: Column<ImportedRow>[] = [
  { id: 'row', header: 'Row', cell: ({ row }) => row, value: ({ row }) => row, className: 'w-16' },
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
    cell: ({ firstName, lastName, email }) => (
      <>
        <span dir="auto" className="wrap-anywhere block text-soft sm:hidden">
          {firstName} {lastName}
        </span>
        <span className="wrap-anywhere">{email}</span>
      </>
    ),
  },
  {
    ...{ id: 'result', header: 'Result' },
    cell: ({ result, reason }) =>
      result === 'refused' ? (
        <span className="text-bad">{reason}</span>
      ) : (
        <Badge tone="good">{result === 'created' ? 'Created' : 'Ready'}</Badge>
      ),
  },
]
