/** Authentication-Results (RFC 8601): only this server may write results under its authserv-id. */
import { domainToASCII } from 'node:url'
import { type HeaderLine, headerLinesOf, withoutFields } from './message-lines.ts'

/** The message without the Authentication-Results fields that carry `authservId`. */
export const withoutForgedResults = (
  raw: Buffer,
  authservId: string,
  headers: readonly HeaderLine[] = headerLinesOf(raw),
): Buffer => {
  const own = canonical(authservId)
  const isForged = (line: string): boolean => {
    const id = authservIdOf(line)
    // The authserv-id cannot be parsed: a lenient reader may take it for ours.
    return id === own || (id === '' && line.toLowerCase().includes(own))
  }
  const forged = headers.filter(
    ({ name, line }) => name === 'authentication-results' && isForged(line),
  )
  return withoutFields(raw, forged)
}

/**
 * The domains whose DKIM signature `authservId` verified. Only for messages that this server received: forged fields are removed
 * there.
 */
export const signersIn = (headers: readonly HeaderLine[], authservId: string): string[] =>
  passesIn(headers, authservId).flatMap((result) => {
    const [, identity] = /^\s*dkim=pass\s.*?header\.[di]=(\S+)/i.exec(result) ?? []
    return identity === undefined ? [] : canonical(identity.slice(identity.lastIndexOf('@') + 1))
  })

/**
 * The DKIM-Signature fields that `authservId` verified, found again by the start of their signature (RFC 6008). Where several
 * fields start alike, none counts: a forged one may stand beside the verified one.
 */
export const verifiedSignaturesIn = (
  headers: readonly HeaderLine[],
  authservId: string,
): HeaderLine[] => {
  const starts = passesIn(headers, authservId).flatMap((result) => {
    const [, start = ''] = /\sheader\.b="?([A-Za-z0-9+/=]+)/i.exec(result) ?? []
    return start.length < 8 ? [] : [start]
  })
  const signatures = headers.filter(({ name }) => name === 'dkim-signature')
  return starts.flatMap((start) => {
    const alike = signatures.filter((field) => signatureOf(field).startsWith(start))
    return alike.length === 1 ? alike : []
  })
}

const signatureOf = ({ line }: HeaderLine): string => {
  const [, signature = ''] = /;\s*b\s*=([^;]*)/i.exec(`;${line.slice(line.indexOf(':') + 1)}`) ?? []
  return signature.replace(/\s/g, '')
}

/** The results of passed DKIM checks, one text each. */
const passesIn = (headers: readonly HeaderLine[], authservId: string): string[] =>
  headers
    .filter(({ name }) => name === 'authentication-results')
    .filter(({ line }) => authservIdOf(line) === canonical(authservId))
    .flatMap(({ line }) => withoutComments(line.replaceAll('\r\n', '')).split(';'))
    .filter((result) => /^\s*dkim=pass\s/i.test(result))

/** The authserv-id as A-labels: the first token of the value, a word or a quoted string; comments may precede it (§2.2). */
const authservIdOf = (line: string): string => {
  const value = Buffer.from(line.slice(line.indexOf(':') + 1), 'latin1').toString()
  const [, quoted, word = ''] =
    /^"((?:[^"\\]|\\.)*)"|^([^\s;"]+)/.exec(withoutComments(value.replaceAll('\r\n', '')).trim()) ??
    []
  return canonical(quoted === undefined ? word : quoted.replace(/\\(.)/g, '$1').trim())
}

/** Maps the spellings that readers treat as one name: other case, a trailing dot, another script. */
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
