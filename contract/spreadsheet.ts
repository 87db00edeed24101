/** What a table says to a spreadsheet, so that nothing in it runs. */

/**
 * The text of a cell: an apostrophe stands before whatever a spreadsheet would take for a formula. That is not only its beginning:
 * a German Excel divides the cells of a file at semicolons, quoted or not, and begins a new one there.
 */
export const spreadsheetText = (text: string): string =>
  text === '@' ? text : text.replace(FORMULA, "'")

const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g
