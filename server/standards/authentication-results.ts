/** RFC 8601: nobody but us may speak under our authserv-id. */
import { domainToASCII } from 'node:url'
import { type HeaderLine, headerLinesOf, withoutFields } from './message-lines.ts'

/** The same bytes without the Authentication-Results fields that bear `authservId`. */
export const withoutForgedResults = (
  raw: Buffer,
  authservId: string,
  headers: readonly HeaderLine[] = headerLinesOf(raw),
): Buffer => {
  const own = canonical(authservId)
  const isForged = (line: string): boolean => {
    const id = authservIdOf(line)
    // Whom it is by cannot be read: a lenient reader may see us.
    return id === own || (id === '' && line.toLowerCase().includes(own))
  }
  const forged = headers.filter(
    ({ name, line }) => name === 'authentication-results' && isForged(line),
  )
  return withoutFields(raw, forged)
}

/** The domains whose DKIM signature `authservId` says it found good. Of a message that it let in: others' word was taken out. */
export const signersIn = (headers: readonly HeaderLine[], authservId: string): string[] =>
  headers
    .filter(({ name }) => name === 'authentication-results')
    .filter(({ line }) => authservIdOf(line) === canonical(authservId))
    .flatMap(({ line }) => withoutComments(line.replaceAll('\r\n', '')).split(';'))
    .flatMap((result) => {
      const [, identity] = /^\s*dkim=pass\s.*?header\.[di]=(\S+)/i.exec(result) ?? []
      return identity === undefined ? [] : canonical(identity.slice(identity.lastIndexOf('@') + 1))
    })

/** The first token of the value, a word or a quoted string; comments may stand before it (§2.2). As A-labels. */
const authservIdOf = (line: string): string => {
  const value = Buffer.from(line.slice(line.indexOf(':') + 1), 'latin1').toString()
  const [, quoted, word = ''] =
    /^"((?:[^"\\]|\\.)*)"|^([^\s;"]+)/.exec(withoutComments(value.replaceAll('\r\n', '')).trim()) ??
    []
  return canonical(quoted === undefined ? word : quoted.replace(/\\(.)/g, '$1').trim())
}

/** What readers take for the same name: in capitals, with the dot of the root, in another script. */
const canonical = (name: string): string => {
  const lower = name.toLowerCase().replace(/\.$/, '')
  return domainToASCII(lower) || lower
}

const withoutComments = (value: string): string => {
  let depth = 0
  let isQuoted = false
  let plain = ''
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at)
    if (character === '\\') {
      if (depth === 0) plain += value.slice(at, at + 2)
      at++
    } else if (isQuoted) {
      isQuoted = character !== '"'
      plain += character
    } else if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (depth === 0) {
      isQuoted = character === '"'
      plain += character
    }
  }
  return plain
}
