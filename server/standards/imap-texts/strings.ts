/** Writes texts (RFC 9051 §4.3): quoted where a quoted string may have them, else as a literal. */

/** `text` has no CR, LF or NUL. Letters beyond ASCII only where the client takes UTF-8. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const MAX_QUOTED = 1_000
/** Stands in quotes as it is; most texts do. */
const isPlain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
const isSimple = /^[\x20-\x7e]*$/

/** The bytes of `text` as one string; letters beyond ASCII in quotes only with UTF8=ACCEPT (RFC 6855 §3). */
export const stringText = (text: string, isUtf8: boolean): string => {
  if (text.length <= MAX_QUOTED && isPlain.test(text)) return `"${text}"`
  const isQuotable =
    text.length <= MAX_QUOTED && (isSimple.test(text) || (isUtf8 && !hasControls(text)))
  return isQuotable ? quoted(text) : `{${Buffer.byteLength(text)}}\r\n${text}`
}

const hasControls = (text: string): boolean =>
  ['\0', '\r', '\n'].some((each) => text.includes(each))

/**
 * For ENVELOPE and BODYSTRUCTURE, whose texts mail programs expect in ASCII: letters beyond it as encoded words (RFC 2047), where
 * the client does not take UTF-8.
 */
export const headerText = (text: string | null | undefined, isUtf8: boolean): string => {
  if (text === null || text === undefined) return 'NIL'
  if (text.length <= MAX_QUOTED && isPlain.test(text)) return `"${text}"`
  if (isUtf8 || isSimple.test(text)) return stringText(text, isUtf8)
  return stringText(encodedWords(text), false)
}

/** At most 75 characters each: 45 bytes of UTF-8 in base64. */
const WORD_BYTES = 45

const encodedWords = (text: string): string => {
  const words: string[] = []
  let word = ''
  for (const letter of text.toWellFormed()) {
    if (Buffer.byteLength(word + letter) > WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += letter
  }
  words.push(word)
  return words.map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join(' ')
}
