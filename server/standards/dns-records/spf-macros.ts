/** Macros in the names of SPF terms (RFC 7208 §7). */
import ipaddr from 'ipaddr.js'

export type SpfContext = { ip: string; mailFrom: string; helo: string; domain: string }

const MAX_NAME = 253
/** §7.1, without the letters c, r and t, which are allowed only in explanations. */
const macro = /%(?:\{[slodiphv]\d*r?[.+,/_=-]*\}|[%_-])/gi
const literals = /^[!-$&-~]*$/
const toplabel = /^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
/** Placeholder for an expanded macro during validation; not a literal. */
const FILLED = ' '

/** Only visible ASCII and valid macros (`macro-string`). */
export const isMacroString = (text: string): boolean => literals.test(text.replace(macro, ''))

/** A macro string that ends in a macro or in a dot and a top label (`domain-spec`). */
export const isDomainSpec = (text: string): boolean => {
  if (!isMacroString(text)) return false
  const plain = text.replace(macro, (found) => (found.startsWith('%{') ? FILLED : '_'))
  if (plain.endsWith(FILLED)) return true
  const labels = plain.replace(/\.$/, '').split('.')
  return labels.length > 1 && toplabel.test(labels.at(-1) ?? '')
}

/** Returns the name with its macros expanded; null when a macro is invalid. `p` is always 'unknown', as §7.3 allows. */
export const expandMacros = (text: string, context: SpfContext): string | null => {
  let isBroken = false
  const name = text.replace(
    /%(?:\{([slodiphv])(\d*)(r?)([.+,/_=-]*)\}|([%_-])|)/gi,
    (
      _,
      letter: string | undefined,
      digits = '',
      reverse = '',
      delimiters = '',
      literal?: string,
    ) => {
      if (literal) return literal === '%' ? '%' : literal === '_' ? ' ' : '%20'
      if (!letter || digits === '0') isBroken = true
      return letter
        ? transform(macroValue(letter, context), digits, reverse !== '', delimiters)
        : ''
    },
  )
  return isBroken || name === '' ? null : shorten(name)
}

const transform = (
  value: string,
  digits: string,
  isReversed: boolean,
  delimiters: string,
): string => {
  const parts = [...value].reduce<string[]>(
    (words, char) => {
      if ((delimiters || '.').includes(char)) words.push('')
      else words.push((words.pop() ?? '') + char)
      return words
    },
    [''],
  )
  if (isReversed) parts.reverse()
  return (digits === '' ? parts : parts.slice(-Number(digits))).join('.')
}

const macroValue = (letter: string, { ip, mailFrom, helo, domain }: SpfContext): string => {
  const at = mailFrom.lastIndexOf('@')
  switch (letter.toLowerCase()) {
    case 's':
      return mailFrom
    case 'l':
      return mailFrom.slice(0, Math.max(at, 0)) || 'postmaster'
    case 'o':
      return mailFrom.slice(at + 1)
    case 'd':
      return domain
    case 'i':
      return dotted(ip)
    case 'v':
      return ip.includes(':') ? 'ip6' : 'in-addr'
    case 'h':
      return helo
    default:
      return 'unknown'
  }
}

/** IPv4 as it is; IPv6 as 32 nibbles. */
const dotted = (ip: string): string =>
  ip.includes(':') && ipaddr.isValid(ip)
    ? [...Buffer.from(ipaddr.parse(ip).toByteArray()).toString('hex')].join('.')
    : ip

/** Removes labels on the left until the name is short enough (§7.3). */
const shorten = (name: string): string => {
  let short = name
  while (short.length > MAX_NAME && short.includes('.')) short = short.slice(short.indexOf('.') + 1)
  return short
}
