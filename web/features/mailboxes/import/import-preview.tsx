import { useMemo } from 'react'
import type { ImportedRow, ImportRow } from '#contract/many-mailboxes.ts'
import { formatCount } from '#web/lib/format.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FieldError, Input } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'

/** More are corrected in the file rather than here. */
const FAULTS_SHOWN = 50

type ImportPreviewProps = {
  rows: ImportedRow[]
  people: readonly ImportRow[]
  mistake: string
  isDone: boolean
  onPeople: (people: ImportRow[]) => void
}

const columns: Column<ImportedRow>[] = [
  { id: 'row', header: 'Row', cell: ({ row }) => row, value: ({ row }) => row, className: 'w-16' },
  {
    ...{ id: 'name', header: 'Name', isSortable: true },
    value: ({ firstName, lastName }) => `${firstName} ${lastName}`,
    cell: ({ firstName, lastName }) => `${firstName} ${lastName}`,
    className: 'max-sm:hidden',
  },
  {
    ...{ id: 'email', header: 'Email', isSortable: true },
    value: ({ email }) => email,
    cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
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

export function ImportPreview({ rows, people, mistake, isDone, onPeople }: ImportPreviewProps) {
  const faults = rows.filter(({ result }) => result === 'refused')
  const shown = useMemo(
    () => (isDone ? rows : rows.filter(({ result }) => result !== 'refused')),
    [rows, isDone],
  )
  const personOf = new Map(people.map((person) => [person.row, person]))
  const leaveOut = (left: ReadonlySet<number>) =>
    onPeople(people.filter(({ row }) => !left.has(row)))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {mistake && <FormAlert>{mistake}</FormAlert>}
      {!isDone && faults.length > 0 && (
        <section aria-label="Rows with a fault" className="grid gap-4">
          {faults.slice(0, FAULTS_SHOWN).map((fault) => {
            const person = personOf.get(fault.row)
            return (
              person && (
                <Correction
                  key={fault.row}
                  person={person}
                  reason={fault.reason}
                  onChange={(changed) =>
                    onPeople(people.map((one) => (one.row === changed.row ? changed : one)))
                  }
                  onLeaveOut={() => leaveOut(new Set([fault.row]))}
                />
              )
            )
          })}
          {faults.length > FAULTS_SHOWN && (
            <p className="text-soft text-sm">
              and {formatCount(faults.length - FAULTS_SHOWN)} more; the result lists all of them
            </p>
          )}
        </section>
      )}
      <DataTable
        label={isDone ? 'Result' : 'Mailboxes to create'}
        rows={shown}
        columns={columns}
        getRowId={({ row }) => String(row)}
        bodyMaxHeight="20rem"
        empty={<p className="px-5 py-8 text-center text-soft text-sm">No row is ready.</p>}
      />
    </div>
  )
}

type CorrectionProps = {
  person: ImportRow
  reason: string
  onChange: (person: ImportRow) => void
  onLeaveOut: () => void
}

const cells = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['email', 'Email'],
  ['domain', 'Domain'],
] as const

function Correction({ person, reason, onChange, onLeaveOut }: CorrectionProps) {
  return (
    <fieldset className="grid gap-2 rounded-card border border-line p-3">
      <legend className="sr-only">Row {person.row}</legend>
      <div className="flex items-start justify-between gap-3">
        <FieldError message={`Row ${person.row}: ${reason}`} />
        <Button variant="link" size="inline" onClick={onLeaveOut}>
          Leave out<span className="sr-only"> row {person.row}</span>
        </Button>
      </div>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {cells.map(([name, label]) => (
          <Input
            key={name}
            aria-label={`${label} of row ${person.row}`}
            placeholder={label}
            value={person[name]}
            onChange={(event) => onChange({ ...person, [name]: event.target.value })}
          />
        ))}
      </div>
    </fieldset>
  )
}
