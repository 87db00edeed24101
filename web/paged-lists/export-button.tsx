/** Saves all that a list finds as a table for spreadsheets, page by page, in the order of the list. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#web/lib/api/api-error.ts'
import { formatCount, formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'

/** The heading of a column of the file, and its text. */
export type Cell<Row> = readonly [heading: string, text: (row: Row) => string | number]

export type Exported<Row> = {
  /** 'workspaces': the file is named for it. */
  name: string
  cells: readonly Cell<Row>[]
  /** A page of it; undefined: the first. */
  read: (cursor: string | undefined) => Promise<{
    items: readonly Row[]
    nextCursor: string | null
  }>
}

/** Rows at most: more than a person sorts through, and no more than a browser holds easily. */
const MOST = 50_000

export const momentText = (at: string | null): string => (at === null ? '' : formatMoment(at))

export function ExportButton<Row>({ exported }: { exported: Exported<Row> }) {
  const [count, setCount] = useState<number | null>(null)
  const save = async () => {
    setCount(0)
    try {
      const rows = await readAll(exported, setCount)
      await saveTable(exported, rows.slice(0, MOST))
      if (rows.length >= MOST)
        toast({
          title: `The file has the first ${formatCount(MOST)}. Search for less to get the rest`,
          variant: 'success',
        })
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setCount(null)
    }
  }
  return (
    <Button variant="secondary" isPending={count !== null} onClick={() => void save()}>
      {count === null && <Download aria-hidden />}
      {count === null ? 'Export' : `Exporting ${formatCount(count)}`}
    </Button>
  )
}

const readAll = async <Row,>(
  { read }: Exported<Row>,
  onCount: (count: number) => void,
): Promise<Row[]> => {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    rows.push(...page.items)
    onCount(rows.length)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && rows.length < MOST)
  return rows
}

const saveTable = async <Row,>(
  { name, cells }: Exported<Row>,
  rows: readonly Row[],
): Promise<void> => {
  const [{ asCsv }, { datedName, saveAs }] = await Promise.all([
    import('#web/lib/csv.ts'),
    import('#web/lib/save-as.ts'),
  ])
  const head = cells.map(([heading]) => heading)
  const table = rows.map((row) => cells.map(([, text]) => String(text(row))))
  saveAs(asCsv([head, ...table]), datedName(name, 'csv'))
}
