/** What a table says to a spreadsheet, so that it opens rightly and nothing in it runs. */

export type Separator = ',' | ';'

/**
 * What divides cells in the spreadsheets of people with this language (decision 082): a semicolon where a comma divides the
 * decimals, and in Switzerland.
 */
export const separatorOf = (language: string): Separator => {
  try {
    const region = new Intl.Locale(language).maximize().region ?? ''
    if (['CH', 'LI'].includes(region)) return ';'
    const parts = new Intl.NumberFormat(language).formatToParts(1.5)
    return parts.find(({ type }) => type === 'decimal')?.value === '.' ? ',' : ';'
  } catch {
    return ','
  }
}

/**
 * The text of a cell: an apostrophe stands before whatever a spreadsheet would take for a formula. That is not only its beginning:
 * a German Excel divides the cells of a file at semicolons, an English one at commas, quoted or not, and begins a new one there.
 */
export const spreadsheetText = (text: string): string =>
  text === '@' ? text : text.replace(FORMULA, "'")

const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;,\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g
