/** SPF records (RFC 7208): parses a record, and builds the one record that keeps the existing terms and adds our senders. */
import { isIPv4, isIPv6 } from 'node:net'
import { isDomainSpec, isMacroString } from './spf-macros.ts'

export type SpfQualifier = '+' | '-' | '~' | '?'
export type SpfMechanism = 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists'

export type SpfTerm = {
  qualifier: SpfQualifier
  mechanism: SpfMechanism
  /** A domain (possibly with macros), an address, or '' for the current domain. */
  value: string
  prefix4: number
  prefix6: number
  /** As written. */
  text: string
}

export type SpfRecord = { terms: SpfTerm[]; redirect: string | null; broken: string[] }

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

/** Invalid terms are in `broken`; a record with one is a permerror (§4.6). */
export const parseSpf = (text: string): SpfRecord => {
  const record: SpfRecord = { terms: [], redirect: null, broken: [] }
  const seenModifiers = new Set<string>()
  for (const word of wordsOf(text)) {
    const [, modifier, value = ''] = /^([a-z][a-z0-9_.-]*)=(.*)$/i.exec(word) ?? []
    if (modifier !== undefined) {
      const name = modifier.toLowerCase()
      // Unknown modifiers are ignored when their syntax is valid (§6).
      const isKnown = name === 'redirect' || name === 'exp'
      const isRight = isKnown
        ? !seenModifiers.has(name) && isDomainSpec(value)
        : isMacroString(value)
      seenModifiers.add(name)
      if (!isRight) record.broken.push(word)
      else if (name === 'redirect') record.redirect = value
      continue
    }
    const term = parseTerm(word)
    if (term) record.terms.push(term)
    else record.broken.push(word)
  }
  return record
}

const wordsOf = (text: string): string[] =>
  text
    .split(' ')
    .slice(1)
    .filter((word) => word !== '')

const parseTerm = (text: string): SpfTerm | null => {
  const parts = /^([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?:([:/])(.*))?$/i.exec(text)
  if (!parts) return null
  const mechanism = (parts[2] ?? '').toLowerCase() as SpfMechanism
  const rest = parts[3] === '/' ? `/${parts[4] ?? ''}` : (parts[4] ?? '')
  const hasValue = parts[3] === ':' && rest !== ''
  if (parts[3] === ':' && !hasValue) return null
  const term = { qualifier: (parts[1] || '+') as SpfQualifier, mechanism, text }
  if (mechanism === 'all')
    return parts[3] === undefined ? { ...term, value: '', prefix4: 32, prefix6: 128 } : null
  if (mechanism === 'ip4' || mechanism === 'ip6') return parseNetwork(term, rest, hasValue)
  if (mechanism === 'a' || mechanism === 'mx') {
    const suffix = /(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/.exec(rest)
    const value = rest.slice(0, suffix?.index)
    const prefix4 = Number(suffix?.[1] ?? 32)
    const prefix6 = Number(suffix?.[2] ?? 128)
    const isRight = parts[3] === ':' ? isDomainSpec(value) : value === ''
    if (!isRight || prefix4 > 32 || prefix6 > 128) return null
    return { ...term, value, prefix4, prefix6 }
  }
  if (hasValue ? !isDomainSpec(rest) : mechanism !== 'ptr' || rest !== '') return null
  return { ...term, value: rest, prefix4: 32, prefix6: 128 }
}

const parseNetwork = (
  term: Pick<SpfTerm, 'qualifier' | 'mechanism' | 'text'>,
  rest: string,
  hasValue: boolean,
): SpfTerm | null => {
  const [ip = '', prefix, ...more] = rest.split('/')
  const widest = term.mechanism === 'ip4' ? 32 : 128
  const isRight = term.mechanism === 'ip4' ? isIPv4(ip) : isIPv6(ip) && !ip.includes('%')
  const bits =
    prefix === undefined ? widest : /^(0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : widest + 1
  if (!hasValue || !isRight || more.length > 0 || bits > widest) return null
  return { ...term, value: ip, prefix4: bits, prefix6: bits }
}

/**
 * The record to publish: the existing record with our mechanisms before its `all` (or redirect); a new record when there is none.
 * Several existing records are merged into one; invalid terms are left out.
 */
export const expectedSpf = (existing: readonly string[], ours: readonly string[]): string => {
  if (existing.length === 0) return ['v=spf1', ...ours, '~all'].join(' ')
  if (existing.length > 1) return expectedSpf([mergedRecord(existing)], ours)
  const words = existing.flatMap(wordsOf)
  const broken = new Set(existing.flatMap((text) => parseSpf(text).broken))
  const keptTerms = [...new Set(words)].filter(
    (word) => !broken.has(word) && !isAll(word) && !isRedirect(word),
  )
  const all = words.find(isAll)
  const redirect = all === undefined ? words.find(isRedirect) : undefined
  const presentTerms = new Set(keptTerms.map((word) => word.replace(/^\+/, '').toLowerCase()))
  const added = ours.filter((mechanism) => !presentTerms.has(mechanism.toLowerCase()))
  return ['v=spf1', ...keptTerms, ...added, all ?? redirect ?? '']
    .filter((word) => word !== '')
    .join(' ')
}

/** A redirect works only without `all` (§6.1): merged with a record that has `all`, it becomes an include. */
const mergedRecord = (records: readonly string[]): string => {
  const words = records.flatMap((text) => {
    const own = wordsOf(text)
    return own.some(isAll) ? own.filter((word) => !isRedirect(word)) : own
  })
  const hasAll = words.some(isAll)
  const redirects = new Set(words.filter(isRedirect).map((word) => word.toLowerCase()))
  const isOneRedirect = !hasAll && redirects.size === 1
  return [
    'v=spf1',
    ...words.map((word) =>
      isRedirect(word) && !isOneRedirect ? `include:${word.slice('redirect='.length)}` : word,
    ),
    ...(redirects.size > 1 && !hasAll ? ['~all'] : []),
  ].join(' ')
}

const isAll = (word: string): boolean => /^[+?~-]?all$/i.test(word)
const isRedirect = (word: string): boolean => /^redirect=./i.test(word)
