/** Makes untrusted text safe for a header line, an SMTP reply or a page. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const breaking = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** For subjects, names, quotes: line breaks and controls become spaces; text without a visible character becomes ''. */
export const oneLine = (text: string, maxCharacters: number): string => {
  const line = text.replace(breaking, ' ').toWellFormed().trim()
  return visible.test(line) ? line.slice(0, maxCharacters).toWellFormed().trim() : ''
}

/** For a LIKE pattern: the text means itself, whatever stands in it. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** For text of others that is stored as it is: PostgreSQL takes no NUL, and no half of a letter, which a cut may leave. */
export const storable = (text: string, maxCharacters: number = Number.POSITIVE_INFINITY): string =>
  text.replaceAll('\0', '').slice(0, maxCharacters).toWellFormed()

/** For SMTP replies and delivery reports: each run of other characters becomes one '?'. */
export const inAscii = (text: string): string => text.replace(/[^\x20-\x7e]+/g, '?')

/** For text that is stored and shown unchanged otherwise: each control character becomes U+FFFD (PostgreSQL takes no NUL). */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu, '\ufffd')
