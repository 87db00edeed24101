import Papa from 'papaparse'
import { spreadsheetText } from '#contract/spreadsheet.ts'

/** A table as a file that spreadsheets open rightly: with the mark of UTF-8, and nothing in it runs as a formula. */
export const asCsv = (table: string[][]): Blob =>
  new Blob([
    `\uFEFF${Papa.unparse(
      table.map((row) => row.map(spreadsheetText)),
      { newline: '\r\n', quotes: (text: string) => text.startsWith("'") },
    )}\r\n`,
  ])
