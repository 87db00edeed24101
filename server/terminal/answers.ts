/** What a command of the operator prints: a sentence, or a table. */

export type Table = {
  head: readonly string[]
  rows: readonly (readonly Cell[])[]
  none: string
  /** There are more, which are not printed. */
  hasMore?: boolean
}
type Cell = string | number | Date | null
/** Sentences under headings, and what a program reads instead. `isFault`: the command ends with exit code 1. */
export type Report = { lines: readonly string[]; json: unknown; isFault: boolean }
/** `parts`, by their names: several tables one below the other. */
export type Answer = string | Table | Report | { parts: Record<string, Table> }

export const isFault = (answer: Answer): boolean =>
  typeof answer !== 'string' && 'isFault' in answer && answer.isFault

const MORE = 'There are more. Please say which, by words of them.'

export const printed = (answer: Answer): string => {
  if (typeof answer === 'string') return answer
  if ('lines' in answer) return answer.lines.map(harmless).join('\n')
  if ('parts' in answer) return Object.values(answer.parts).map(lined).join('\n\n')
  return lined(answer)
}

/** Columns that line up; numbers at the right. */
const lined = (answer: Table): string => {
  if (answer.rows.length === 0) return answer.none
  const texts = [answer.head, ...answer.rows.map((row) => row.map(cellText))]
  const widths = answer.head.map((_, column) =>
    Math.max(...texts.map((row) => [...(row[column] ?? '')].length)),
  )
  const isNumber = (column: number) =>
    answer.rows.every((row) => typeof row[column] === 'number' || row[column] === null)
  const lines = texts.map((row) =>
    row
      .map((text, column) => padded(text, widths[column] ?? 0, isNumber(column)))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, ...(answer.hasMore ? [MORE] : [])].join('\n')
}

const padded = (text: string, width: number, isRight: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - [...text].length))
  return isRight ? space + text : text + space
}

/** Names come from strangers: no letter may move the cursor of a terminal, or begin a line. */
const harmless = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

const cellText = (cell: Cell): string => {
  if (cell === null) return '-'
  if (cell instanceof Date) return `${cell.toISOString().slice(0, 16).replace('T', ' ')}Z`
  return harmless(String(cell))
}

/** For programs: a list of objects by the heads of the columns; of several tables, a list for each. */
export const asJson = (answer: Answer): string => {
  if (typeof answer === 'string') return JSON.stringify({ message: answer })
  if ('lines' in answer) return JSON.stringify(answer.json)
  if ('parts' in answer)
    return JSON.stringify(
      Object.fromEntries(
        Object.entries(answer.parts).map(([name, table]) => [name, objectsOf(table)]),
      ),
    )
  return JSON.stringify(objectsOf(answer))
}

const objectsOf = ({ head, rows }: Table) =>
  rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? null])))
