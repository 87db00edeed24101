/**
 * Text that is shown in one line and goes into one: subjects, names. Folds, controls, line separators and what turns the order of letters
 * round become blanks; what nobody would see is nothing.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const breaking = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const MAX_NAME = 200
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A name that may stand before an address, and is not decoded again by whom it goes to. */
export const personName = (text: string): string =>
  oneLine(text, MAX_NAME).replaceAll('=?', '= ?').slice(0, MAX_NAME).toWellFormed()

export const oneLine = (text: string, maxCharacters: number): string => {
  const line = text.replace(breaking, ' ').toWellFormed().trim()
  return visible.test(line) ? line.slice(0, maxCharacters).toWellFormed().trim() : ''
}
