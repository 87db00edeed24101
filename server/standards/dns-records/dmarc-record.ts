/** DMARC policy records (RFC 9989). `pct`, `rf` and `ri` belong to the older RFC and are ignored, as are unknown tags. */
import { parseTags } from './tag-list.ts'

export const DEFAULT_DMARC = 'v=DMARC1; p=none'

export type DmarcRecord = {
  policy: 'none' | 'quarantine' | 'reject'
  /** y: the domain is a public suffix; n: the domain is the organizational domain (§4.10). */
  psd?: 'y' | 'n'
}

const policies = ['none', 'quarantine', 'reject'] as const

/** Whether the text claims to be a DMARC record, valid or not. */
export const isDmarc = (text: string): boolean => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/i.test(text)

/**
 * Returns null when receivers would not apply the record. Without a valid policy, a report address (`rua`) makes the policy
 * `none` (§4.7).
 */
export const parseDmarc = (text: string): DmarcRecord | null => {
  const tags = parseTags(text)
  if (tags?.get('v') !== 'DMARC1' || tags.keys().next().value !== 'v') return null
  const policy = policyOf(tags.get('p'))
  const areOthersKnown = ['sp', 'np'].every((tag) => !tags.has(tag) || policyOf(tags.get(tag)))
  const psd = (['y', 'n'] as const).find((each) => each === tags.get('psd')?.toLowerCase())
  const rest = psd === undefined ? {} : { psd }
  if (policy && areOthersKnown) return { policy, ...rest }
  const hasReports = /^\s*mailto:[^\s@,]+@[^\s@,]+/i.test(tags.get('rua') ?? '')
  return hasReports ? { policy: 'none', ...rest } : null
}

const policyOf = (text: string | undefined): DmarcRecord['policy'] | undefined =>
  policies.find((each) => each === text?.toLowerCase())

/** The fault of a record that `parseDmarc` refuses, as part of a sentence. */
export const dmarcFault = (text: string): string => {
  if (/^\s*v\s*=\s*DMARC1\s+\S/i.test(text)) return 'a semicolon is missing after v=DMARC1'
  if (/[a-z]\s*,\s*[a-z]+\s*=/i.test(text)) return "its parts are separated by ',' instead of ';'"
  const tags = parseTags(text)
  if (tags === null) {
    const names = text.split(';').map((part) => part.slice(0, part.indexOf('=')).trim())
    const repeatedTag = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
    const invalidPart = text
      .split(';')
      .find((part) => part.trim() !== '' && !/^\s*[a-z]\w*\s*=/i.test(part))
    return repeatedTag !== undefined && invalidPart === undefined
      ? `'${repeatedTag}=' stands in it twice`
      : `'${(invalidPart ?? text).trim()}' is no part of such a record`
  }
  if (tags.get('v') !== 'DMARC1' || tags.keys().next().value !== 'v')
    return 'it has to begin with v=DMARC1, in capitals'
  if (!tags.has('p')) return 'it names no policy (p=)'
  const invalidTag = ['p', 'sp', 'np'].find((tag) => tags.has(tag) && !policyOf(tags.get(tag)))
  return `'${invalidTag}=${tags.get(invalidTag ?? '')}' is no policy, which is none, quarantine or reject`
}

/**
 * Proposes a valid record for a refused one: keeps its readable policies and every other printable tag; p=none without a policy.
 */
export const mendedDmarc = (text: string): string => {
  const { p, sp, np, v: _version, ...others } = Object.fromEntries(looseTags(text))
  const proposed = Object.entries({
    v: 'DMARC1',
    p: policyOf(p) ?? 'none',
    sp: policyOf(sp) ?? '',
    np: policyOf(np) ?? '',
    ...others,
  })
    .filter(([, value]) => /^[!#-[\]-~]+$/.test(value))
    .map(([tag, value]) => `${tag}=${value}`)
    .join('; ')
  return parseDmarc(proposed) ? proposed : DEFAULT_DMARC
}

/** Tags with any separator; for a repeated tag the first value counts. */
const looseTags = (text: string): Map<string, string> => {
  const tags = new Map<string, string>()
  let last = ''
  for (const part of text.replace(/\s+/g, ' ').replace(/ ?= ?/g, '=').split(/[;, ]/)) {
    const [, name, value = ''] = /^([a-z]{1,10})=(.*)$/i.exec(part) ?? []
    if (name !== undefined) {
      last = tags.has(name.toLowerCase()) ? '' : name.toLowerCase()
      if (last !== '') tags.set(last, value)
    }
    // Another report address.
    else if (/^ru[af]$/.test(last) && part !== '') tags.set(last, `${tags.get(last)},${part}`)
  }
  return tags
}

export type DmarcLookUp = (
  name: string,
) => Promise<{ outcome: 'found'; values: string[] } | { outcome: 'none' } | { outcome: 'failed' }>

/**
 * Finds the DMARC policy of a domain by walking up the DNS tree (RFC 9989 §4.10). `name` is the name of the record, with
 * `_dmarc.`; null when no policy applies; `failed` when DNS did not answer.
 */
export const discoverDmarc = async (
  domain: string,
  lookUp: DmarcLookUp,
): Promise<{ name: string; text: string } | null | 'failed'> => {
  const found: { at: string; text: string; psd?: 'y' | 'n' }[] = []
  for (const at of stepsOf(domain)) {
    const answer = await lookUp(`_dmarc.${at}`)
    if (answer.outcome === 'failed') return 'failed'
    const texts = answer.outcome === 'found' ? answer.values.filter(isDmarc) : []
    const [text] = texts
    const record = texts.length === 1 && text !== undefined ? parseDmarc(text) : null
    if (!record || text === undefined) continue
    if (at === domain) return recordAt(at, text)
    // A public suffix's record applies only when no organizational domain is found.
    found.push({ at, text, ...record })
    if (record.psd !== undefined) break
  }
  // The organizational domain's record: the one with the fewest labels that is not a public suffix.
  const organisation = found.findLast(({ psd }) => psd !== 'y') ?? found.at(-1)
  return organisation ? recordAt(organisation.at, organisation.text) : null
}

const MAX_LABELS = 8

/** The domain, then its parents; a long name continues at its last seven labels. */
const stepsOf = (domain: string): string[] => {
  const labels = domain.split('.')
  const from = labels.length > MAX_LABELS ? labels.length - MAX_LABELS + 1 : 1
  const parents = labels.slice(from).map((_, at) => labels.slice(from + at).join('.'))
  return [domain, ...parents]
}

const recordAt = (at: string, text: string) => ({ name: `_dmarc.${at}`, text })
