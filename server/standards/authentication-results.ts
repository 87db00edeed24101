/** RFC 8601: nobody but us may speak under our authserv-id. */
import { type HeaderLine, headerLinesOf, withoutFields } from './message-lines.ts'

/** The same bytes without the Authentication-Results fields that bear `authservId`. */
export const withoutForgedResults = (
  raw: Buffer,
  authservId: string,
  headers: readonly HeaderLine[] = headerLinesOf(raw),
): Buffer => {
  const forged = headers.filter(
    ({ name, line }) =>
      name === 'authentication-results' && authservIdOf(line) === authservId.toLowerCase(),
  )
  return withoutFields(raw, forged)
}

/** The first token of the value; comments may stand before it (§2.2). */
const authservIdOf = (line: string): string => {
  const value = line.slice(line.indexOf(':') + 1).replaceAll('\r\n', '')
  let depth = 0
  let plain = ''
  for (let i = 0; i < value.length; i++) {
    const character = value[i]
    if (character === '\\' && depth > 0) i++
    else if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (depth === 0) plain += character
  }
  return (plain.trim().match(/^"?([^\s;"]+)/)?.[1] ?? '').toLowerCase()
}
