import { CircleCheck, CircleMinus, Download } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { formatCount } from '#web/lib/format.ts'
import { datedName, saveAs } from '#web/lib/save-as.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { type Entry, tableOf } from './entries.ts'

type AddedDomainsProps = { entries: readonly Entry[]; onMore: () => void }

/** What became of every entry, and the next step. */
export function AddedDomains({ entries, onMore }: AddedDomainsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const added = entries.filter(({ isAdded }) => isAdded).length
  const left = entries.length - added
  return (
    <Card className="overflow-hidden">
      <div className="grid gap-5 p-5">
        <div className="flex items-start gap-3">
          <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-hidden />
          <div className="grid gap-1">
            <h2
              ref={heading}
              tabIndex={-1}
              className="font-semibold text-base tracking-tight outline-none"
            >
              {formatCount(added)} {added === 1 ? 'domain' : 'domains'} added
              {left > 0 &&
                `, ${formatCount(left)} of ${formatCount(entries.length)} entries not added`}
            </h2>
            <p className="max-w-2xl text-pretty text-soft text-sm">
              Next, publish the records of these domains at their DNS providers. Then press Verify:
              it checks all of them at once.
            </p>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button asChild>
            <Link to={paths.domains()}>Go to Domains</Link>
          </Button>
          <Button variant="secondary" onClick={onMore}>
            Add more
          </Button>
          <Button variant="secondary" className="ml-auto" onClick={() => void download(entries)}>
            <Download aria-hidden />
            Download this list (CSV)
          </Button>
        </div>
      </div>
      <EntryTable entries={entries} />
    </Card>
  )
}

/** The writer of tables is loaded with the first download. */
const download = async (entries: readonly Entry[]) => {
  const { asCsv } = await import('#web/lib/csv.ts')
  saveAs(asCsv(tableOf(entries)), datedName('added-domains', 'csv'))
}

const columns: readonly Column<Entry & { id: string }>[] = [
  {
    id: 'entry',
    header: 'Entry',
    className: 'w-1/2',
    cell: ({ typed }) => (
      <span dir="auto" className="wrap-anywhere block font-medium">
        {typed}
      </span>
    ),
  },
  {
    id: 'outcome',
    header: 'What became of it',
    cell: ({ isAdded, outcome }) => (
      <span className={isAdded ? 'flex items-start gap-1.5' : 'flex items-start gap-1.5 text-soft'}>
        {isAdded ? (
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
        ) : (
          <CircleMinus className="mt-0.5 size-4 shrink-0" aria-hidden />
        )}
        <span className="wrap-anywhere">{outcome}</span>
      </span>
    ),
  },
]

/** Those that were not added first. */
function EntryTable({ entries }: { entries: readonly Entry[] }) {
  const rows = useMemo(
    () =>
      entries
        .map((entry, index) => ({ ...entry, id: String(index) }))
        .toSorted((a, b) => Number(a.isAdded) - Number(b.isAdded)),
    [entries],
  )
  return (
    <DataTable
      label="What became of each entry"
      rows={rows}
      columns={columns}
      getRowId={({ id }) => id}
      bodyMaxHeight="28rem"
      empty={null}
      className="border-line border-t"
    />
  )
}
