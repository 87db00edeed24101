import { useMemo, useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useDomainChoices } from '../use-domain-choices.tsx'
import { FaultGroupCard, type HeldRow } from './fault-group-card.tsx'
import { groupFaults, proposer } from './fault-groups.ts'
import { importColumns } from './import-columns.tsx'
import { type CheckedRow, sharedAddresses } from './private-fault.ts'
import type { ImportSteps } from './use-import.ts'

type ImportPreviewProps = { steps: ImportSteps; answer: readonly CheckedRow[] }

/** The row that is being corrected stays where it is, whatever the last check said of it: nothing moves under the hand. */
const withHeld = (answer: readonly CheckedRow[], held: HeldRow | null): readonly CheckedRow[] =>
  held === null
    ? answer
    : answer.map((row) => (row.row === held.row ? { ...row, fault: held.fault } : row))

/** No fault: a family or a front desk may read them all. */
function SharedAddresses({ answer }: { answer: readonly CheckedRow[] }) {
  const shared = useMemo(() => sharedAddresses(answer), [answer])
  const [first] = shared
  if (first === undefined) return null
  return (
    <p role="note" className="wrap-anywhere text-soft text-sm">
      {shared.length === 1
        ? `${formatCount(first.rows.length)} people have the private address ${first.address} (rows ${first.rows.join(', ')}).`
        : `${formatCount(shared.length)} private addresses belong to more than one person: ${shared.map(({ address, rows }) => `${address} (rows ${rows.join(', ')})`).join('; ')}.`}{' '}
      Each person gets a link of their own there.
    </p>
  )
}

/** Faults by their kind, what was skipped, and the mailboxes that will be made. */
export function ImportPreview({ steps, answer }: ImportPreviewProps) {
  const { people, skipped, mistake } = steps
  const { choices, all } = useDomainChoices()
  const domains = choices.map(({ unicodeName }) => unicodeName)
  // One that is not active may be meant, too: then the next check says so.
  const key = all.map(({ unicodeName }) => unicodeName).join(' ')
  const propose = useMemo(() => proposer(key.split(' ')), [key])
  const [held, setHeld] = useState<HeldRow | null>(null)
  const groups = useMemo(
    () => groupFaults(withHeld(answer, held), people, propose, key.split(' ')),
    [answer, people, propose, held, key],
  )
  const ready = useMemo(() => answer.filter(({ result }) => result === 'ready'), [answer])
  const columns = useMemo(() => importColumns(ready), [ready])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {mistake && <FormAlert>{mistake}</FormAlert>}
      {groups.length > 0 && (
        <section aria-label="Rows with a fault" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {groups.map((group) => (
            <FaultGroupCard
              key={group.fault}
              {...{ group, steps, domains, held }}
              onHold={setHeld}
            />
          ))}
        </section>
      )}
      <SharedAddresses answer={ready} />
      {skipped.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-3 text-soft text-sm">
          {formatCount(skipped.length)} {skipped.length === 1 ? 'row is' : 'rows are'} skipped.
          <Button variant="link" size="inline" disabled={steps.isPending} onClick={steps.takeBack}>
            Take {skipped.length === 1 ? 'it' : 'them'} back
          </Button>
        </p>
      )}
      <DataTable
        label="Mailboxes to create"
        rows={ready}
        columns={columns}
        getRowId={({ row }) => String(row)}
        bodyMaxHeight="20rem"
        empty={<p className="px-5 py-8 text-center text-soft text-sm">No row is ready.</p>}
      />
    </div>
  )
}
