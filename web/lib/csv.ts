/** Writes a table as a file that the person's spreadsheet opens rightly (decision 082). */
import Papa from 'papaparse'
import { type Separator, separatorOf, spreadsheetText } from '#contract/spreadsheet.ts'

/** With the mark of UTF-8, and nothing in it runs as a formula. */
export const asCsv = (
  table: string[][],
  separator: Separator = separatorOf(navigator.language),
): Blob =>
  new Blob([
    `\uFEFF${Papa.unparse(
      table.map((row) => row.map(spreadsheetText)),
      {
        delimiter: separator,
        newline: '\r\n',
        // Whatever separates cells elsewhere stands in quotes.
        quotes: (text: string) => /^'|[;,\t]/.test(text),
      },
    )}\r\n`,
  ])
