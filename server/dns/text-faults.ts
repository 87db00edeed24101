/** Explains how a TXT value was damaged on its way into DNS. Pure. */

/** Removes the quotation marks and backslashes of zone files. */
export const unquoted = (text: string): string =>
  text
    .replace(/"\s+"/g, '')
    .replace(/["“”\\]/g, '')
    .trim()

export const isQuoted = (text: string): boolean => /["“”\\]/.test(text)

/** The marks in the text, in words. */
export const marksIn = (text: string): string => {
  const [quotes, backslashes] = [/["“”]/.test(text), text.includes('\\')]
  return quotes && backslashes
    ? 'quotation marks and backslashes'
    : quotes
      ? 'quotation marks'
      : 'backslashes'
}

const MAX_QUOTE = 40
const quote = (text: string): string =>
  `'${text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text}'`

/** The limit of one TXT string. */
export const STRING_BYTES = 255

/**
 * How `found` differs from `expected`, as the end of 'The value at x ...'; null when they have nothing in common. `recordBytes`:
 * the length of the whole record, when `found` is only a part of it.
 */
export const howItDiffers = (
  found: string,
  expected: string,
  recordBytes = found.length,
): string | null => {
  if (found === expected || found === '') return null
  if (expected.startsWith(found))
    return recordBytes === STRING_BYTES
      ? `is cut off after 255 characters of the record: ${quote(expected.slice(found.length))} is missing at the end`
      : `is cut off after ${found.length} of ${expected.length} characters: ${quote(expected.slice(found.length))} is missing at the end`
  if (expected.endsWith(found))
    return `lacks its beginning: ${quote(expected.slice(0, expected.length - found.length))} is missing`
  if (found.startsWith(expected))
    return `has ${quote(found.slice(expected.length))} too much at the end`
  if (found.endsWith(expected))
    return `has ${quote(found.slice(0, found.length - expected.length))} too much at the beginning`
  if (found.toLowerCase() === expected.toLowerCase()) return 'has capital and small letters changed'
  return inTheMiddle(found, expected)
}

const inTheMiddle = (found: string, expected: string): string | null => {
  let start = 0
  while (start < found.length && found[start] === expected[start]) start += 1
  let end = 0
  const shorter = Math.min(found.length, expected.length)
  while (end < shorter - start && found.at(-1 - end) === expected.at(-1 - end)) end += 1
  // Values that share less than half are different values.
  if (start + end < expected.length / 2) return null
  const [was, wanted] = [
    found.slice(start, found.length - end),
    expected.slice(start, expected.length - end),
  ]
  const at = `from character ${start + 1} on`
  if (was === '') return `lacks ${quote(wanted)} ${at}`
  if (wanted === '') return `has ${quote(was)} too much ${at}`
  return `has ${quote(was)} instead of ${quote(wanted)} ${at}`
}
