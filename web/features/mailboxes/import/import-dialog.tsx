/** Mailboxes from a file or a pasted table: the table, a preview that names each fault, and the result with what comes next. */
import { useState } from 'react'
import { asCsv } from '#web/lib/csv.ts'
import { formatCount } from '#web/lib/format.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { SetUpMany } from '../many/set-up-many.tsx'
import { PriceNote } from '../payment/price-note.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportResult, NextStep, useNext } from './import-result.tsx'
import { ImportSource } from './import-source.tsx'
import type { CheckedRow } from './private-fault.ts'
import { resultName, resultTable } from './result-rows.ts'
import { type ImportSteps, type Source, useImport } from './use-import.ts'

type ImportDialogProps = {
  /** For rows that name none. */
  domain?: string | undefined
  hasBilling: boolean
  onClose: () => void
}

export function ImportDialog(props: ImportDialogProps) {
  const [round, setRound] = useState(1)
  return <OneImport key={round} {...props} onAnother={() => setRound(round + 1)} />
}

type OneImportProps = ImportDialogProps & { onAnother: () => void }

function OneImport({ domain, hasBilling, onAnother, onClose }: OneImportProps) {
  const [source, setSource] = useState<Source>({
    ...{ text: '', fileName: '', domain: domain ?? null, isGerman: null },
  })
  const steps = useImport(source)
  const { answer, created } = steps
  const next = useNext(answer ?? [], hasBilling)
  const isDirty = created === null && source.text !== ''
  const unsaved = useUnsavedChanges(isDirty, onClose)
  if (next.isSettingUp) return <SetUpMany mailboxes={next.made} onClose={onClose} />
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !steps.isPending && unsaved.requestClose()}
        title={
          created === null
            ? 'Import mailboxes'
            : `${countOf(created, 'mailbox', 'mailboxes')} created`
        }
        description={describe(steps)}
        size="large"
        footer={
          created === null ? (
            <Footer steps={steps} onCancel={unsaved.requestClose} />
          ) : (
            <>
              <Button variant="quiet" className="sm:mr-auto" onClick={onAnother}>
                Import another file
              </Button>
              <Button
                variant="secondary"
                onClick={() => saveAs(asCsv(resultTable(steps)), resultName(source.fileName))}
              >
                Download result
              </Button>
              <Button variant={next.step === null ? 'primary' : 'secondary'} onClick={onClose}>
                Done
              </Button>
              <NextStep {...next} />
            </>
          )
        }
      >
        {answer === null ? (
          <>
            <ImportSource source={source} mistake={steps.mistake} onChange={setSource} />
            <div className="mt-4">
              <PriceNote />
            </div>
          </>
        ) : created === null ? (
          <ImportPreview steps={steps} answer={answer} />
        ) : (
          <ImportResult answer={answer} next={next} />
        )}
      </Dialog>
      {unsaved.question}
    </>
  )
}

const countOf = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`
const faultsOf = (rows: readonly CheckedRow[]) =>
  rows.filter(({ result }) => result === 'refused').length

function describe({ answer, created, skipped }: ImportSteps) {
  if (answer === null) return 'One person in each row, in the domain that the row names.'
  const faults = faultsOf(answer)
  if (created !== null) {
    const left = faults + skipped.length
    return left === 0
      ? 'Every row of the file is a mailbox now.'
      : `${countOf(left, 'row was', 'rows were')} not imported. The result says which and why.`
  }
  return faults === 0
    ? `All ${countOf(answer.length, 'row is', 'rows are')} right. Nothing is created yet.`
    : `${countOf(faults, 'row has a fault', 'rows have a fault')}. ${faults === 1 ? 'Correct it, or skip it.' : 'Correct them, or skip them.'}`
}

function Footer({ steps, onCancel }: { steps: ImportSteps; onCancel: () => void }) {
  const { answer, isPending } = steps
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
  const faults = faultsOf(answer)
  const good = answer.length - faults
  const others = faults === 0 ? '' : `, skip ${formatCount(faults)}`
  return (
    <>
      <Button variant="secondary" disabled={isPending} onClick={steps.back}>
        Back
      </Button>
      {steps.hasEdits && steps.mistake !== '' ? (
        // Each its own element: a click that began on one never ends on the other.
        <Button key="check" isPending={isPending} onClick={steps.check}>
          Check again
        </Button>
      ) : (
        <Button
          key="create"
          isPending={isPending || steps.hasEdits}
          disabled={good === 0}
          onClick={steps.create}
        >
          {steps.hasEdits ? (
            'Checking...'
          ) : (
            <>
              Create {countOf(good, 'mailbox', 'mailboxes')}
              {others}
            </>
          )}
        </Button>
      )}
    </>
  )
}
