/** Divides a text into rows and cells, as spreadsheets write them (RFC 4180, and what differs from it in practice). */
import Papa from 'papaparse'
import { headingOf } from './headings.ts'

/** `row`: its place in the file, as a spreadsheet counts. */
export type TableRow = { row: number; cells: string[] }
export type Parsed = { rows: TableRow[] } | { fault: string }

const SEPARATORS = ['\t', ';', ',', '|'] as const
/** So much of the text tells the separator. */
const SAMPLE_LENGTH = 50_000

/** Blank rows are left out. */
export function parseTable(given: string): Parsed {
  const { text, separator } = separated(given.replace(/^\uFEFF/, '').replace(/\r\n?|\u2028/g, '\n'))
  const { data, errors } = parse(text, separator)
  const quote = errors.find(({ type }) => type === 'Quotes')
  if (quote?.code === 'MissingQuotes')
    return {
      fault: `Row ${data.length} opens a quotation mark (") that is never closed. Close it, or remove it.`,
    }
  if (quote)
    return {
      fault: `Row ${(quote.row ?? 0) + 1} has text behind a closing quotation mark ("). Double the marks within a cell, or remove them.`,
    }
  const rows = data
    .map((cells, index) => ({ row: index + 1, cells: cells.map(asText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { rows }
}

/** What stands in the first row, as far as it can be told already: for a text that is still being typed. */
export function firstCells(given: string): string[] {
  const start = given.slice(0, SAMPLE_LENGTH)
  const { text, separator } = separated(start.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
  return (parse(text, separator, 1).data[0] ?? []).map(asText)
}

const parse = (text: string, delimiter: string, preview = 0) =>
  Papa.parse<string[]>(text, { delimiter, newline: '\n', preview })

/** A line like 'sep=;' tells spreadsheets the separator and is no row. */
function separated(text: string): { text: string; separator: string } {
  const [line, named] = /^"?sep=(.)"?\n/i.exec(text) ?? []
  if (line !== undefined && named !== undefined)
    return { text: text.slice(line.length), separator: named }
  return { text, separator: separatorIn(text) }
}

/** The one with which the headings are known, else the one with which most rows have the same number of cells. */
function separatorIn(text: string): string {
  const cut = text.length <= SAMPLE_LENGTH ? -1 : text.lastIndexOf('\n', SAMPLE_LENGTH)
  const sample = cut > 0 ? text.slice(0, cut) : text.slice(0, SAMPLE_LENGTH)
  const tried = SEPARATORS.map((separator) => {
    const rows = parse(sample, separator).data.filter((cells) => cells.some((cell) => cell.trim()))
    const headings = (rows[0] ?? []).filter((cell) => headingOf(cell.trim()) !== undefined).length
    return { separator, headings, evenness: evennessOf(rows.map((cells) => cells.length)) }
  })
  const named = tried.toSorted((a, b) => b.headings - a.headings)[0]
  if (named && named.headings > 0 && tried.some(({ headings }) => headings < named.headings))
    return named.separator
  const even = tried.toSorted((a, b) => b.evenness - a.evenness)[0]
  return even && even.evenness > 0 ? even.separator : ','
}

/** The share of rows with the most frequent number of cells; 0 when that is one cell. */
function evennessOf(widths: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most === undefined || most[0] === 1 ? 0 : most[1] / widths.length
}

/** Our own tables put an apostrophe before what a spreadsheet would run. */
const asText = (cell: string): string =>
  cell.trim().replace(/(^|[;,\t\r\n]["\s]*)'(?=[=+\-@\t\r\n＝＋－＠])/g, '$1')
