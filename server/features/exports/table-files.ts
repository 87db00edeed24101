/** Rows as files: JSON for programs, CSV for spreadsheets. Both are written as the rows come. */
import { spreadsheetText } from '#contract/spreadsheet.ts'
import type { Row } from './exported-rows-store.ts'

export async function* asJson(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Buffer> {
  let before = '[\n'
  for await (const row of rows) {
    yield Buffer.from(`${before}${JSON.stringify(row)}`)
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}

/** With the mark of UTF-8, and nothing in it runs as a formula. */
export async function* asCsv(
  rows: AsyncIterable<Row>,
  columns: readonly string[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${columns.join(',')}\r\n`)
  for await (const row of rows)
    yield Buffer.from(`${columns.map((column) => cellOf(row[column])).join(',')}\r\n`)
}

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = spreadsheetText(typeof value === 'string' ? value : JSON.stringify(value))
  return /[;,\t"\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
