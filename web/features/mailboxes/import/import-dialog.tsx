/** Mailboxes from a file or a pasted table: the table, a preview that names each fault, and the result. */
import { useState } from 'react'
import {
  type ImportedRow,
  type ImportRow,
  importMailboxes,
  importTable,
  MAX_IMPORT_ROWS,
} from '#contract/many-mailboxes.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { asCsv } from '#web/lib/csv.ts'
import { formatCount } from '#web/lib/format.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { PriceNote } from '../price-note.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportSource, type Source } from './import-source.tsx'
import { readPeople } from './read-people.ts'

type ImportDialogProps = { hasBilling: boolean; onClose: () => void }

export function ImportDialog({ hasBilling, onClose }: ImportDialogProps) {
  const [source, setSource] = useState<Source>({ text: '', domain: '', isGerman: false })
  const steps = useImport(source)
  const { answer, created } = steps
  const isDirty = created === null && source.text !== ''
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const title =
    created === null ? 'Import mailboxes' : `${countOf(created, 'mailbox', 'mailboxes')} created`
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !steps.isPending && unsaved.requestClose()}
        title={title}
        description={describe(answer, created, hasBilling)}
        size="large"
        footer={<Footer steps={steps} onClose={onClose} onCancel={unsaved.requestClose} />}
      >
        {answer === null ? (
          <>
            <ImportSource source={source} mistake={steps.mistake} onChange={setSource} />
            <div className="mt-4">
              <PriceNote />
            </div>
          </>
        ) : (
          <ImportPreview
            rows={answer}
            people={steps.people}
            mistake={steps.mistake}
            isDone={created !== null}
            onPeople={steps.setPeople}
          />
        )}
      </Dialog>
      {unsaved.question}
    </>
  )
}

const countOf = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`
const faultsOf = (rows: readonly ImportedRow[]) =>
  rows.filter(({ result }) => result === 'refused').length

function describe(rows: ImportedRow[] | null, created: number | null, hasBilling: boolean) {
  if (rows === null) return 'One person a row, each in the domain that the row names.'
  const faults = faultsOf(rows)
  const left = faults === 0 ? '' : `${countOf(faults, 'row was', 'rows were')} left out. `
  if (created !== null)
    return left + (hasBilling ? 'They become active when they are paid for.' : '')
  return faults === 0
    ? `All ${countOf(rows.length, 'row is', 'rows are')} right. Nothing is created yet.`
    : `${countOf(faults, 'row has a fault', 'rows have a fault')}. Correct them, or leave them out.`
}

type Steps = ReturnType<typeof useImport>

/** The people as they are corrected, the judgement of the server about them, and how many were created. */
function useImport(source: Source) {
  const [people, setPeople] = useState<ImportRow[]>([])
  const [checked, setChecked] = useState<ImportRow[]>([])
  const [answer, setAnswer] = useState<ImportedRow[] | null>(null)
  const [created, setCreated] = useState<number | null>(null)
  const [mistake, setMistake] = useState('')
  const call = useCall(importMailboxes, {
    onError: (error) => setMistake(String(error.data.table ?? error.message)),
  })
  const send = (rows: ImportRow[], dryRun: boolean) => {
    setMistake('')
    const spelling = source.isGerman ? ('german' as const) : ('plain' as const)
    const body = { table: importTable(rows), domain: source.domain, mode: 'good' as const }
    call.mutate(
      { body: { ...body, spelling, dryRun } },
      {
        onSuccess: (judged) => {
          setAnswer(judged.rows)
          setPeople(rows)
          setChecked(rows)
          if (!dryRun) setCreated(judged.created)
        },
      },
    )
  }
  return {
    ...{ people, setPeople, answer, created, mistake },
    isPending: call.isPending,
    hasCorrections: people !== checked,
    read: () => {
      const rows = readPeople(source.text)
      if (rows.length === 0) return setMistake('Please choose a file or paste a table')
      if (rows.length > MAX_IMPORT_ROWS) return setMistake('At most 10,000 rows at once')
      return send(rows, true)
    },
    back: () => {
      setMistake('')
      setAnswer(null)
    },
    check: () => send(people, true),
    create: () => send(people, false),
  }
}

type FooterProps = { steps: Steps; onClose: () => void; onCancel: () => void }

function Footer({ steps, onClose, onCancel }: FooterProps) {
  const { answer, created, isPending } = steps
  if (answer === null)
    return (
      <>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button isPending={isPending} onClick={steps.read}>
          Check
        </Button>
      </>
    )
  if (created !== null)
    return (
      <>
        <Button variant="secondary" onClick={() => saveAs(resultOf(answer), 'mailboxes.csv')}>
          Download result
        </Button>
        <Button onClick={onClose}>Done</Button>
      </>
    )
  const good = answer.length - faultsOf(answer)
  return (
    <>
      <Button variant="secondary" disabled={isPending} onClick={steps.back}>
        Back
      </Button>
      {steps.hasCorrections ? (
        <Button isPending={isPending} disabled={steps.people.length === 0} onClick={steps.check}>
          Check again
        </Button>
      ) : (
        <Button isPending={isPending} disabled={good === 0} onClick={steps.create}>
          Create {countOf(good, 'mailbox', 'mailboxes')}
        </Button>
      )}
    </>
  )
}

const resultOf = (rows: readonly ImportedRow[]): Blob =>
  asCsv([
    ['Row', 'First name', 'Last name', 'Email', 'Result'],
    ...rows.map(({ row, firstName, lastName, email, result, reason }) => [
      ...[String(row), firstName, lastName, email],
      result === 'created' ? 'created' : reason,
    ]),
  ])
