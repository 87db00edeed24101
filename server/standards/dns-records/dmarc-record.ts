/** DMARC policy records (RFC 9989). `pct`, `rf` and `ri` are of its predecessor and ignored, as are unknown tags. */
import { parseTags } from './tag-list.ts'

export const DEFAULT_DMARC = 'v=DMARC1; p=none'

export type DmarcRecord = {
  policy: 'none' | 'quarantine' | 'reject'
  /** y: of a public suffix; n: the organisation ends here (§4.10). */
  psd?: 'y' | 'n'
}

const policies = ['none', 'quarantine', 'reject'] as const

/** What claims to be a DMARC record, valid or not. */
export const isDmarc = (text: string): boolean => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/i.test(text)

/** null when receivers would not apply it. Without a valid policy, an address for reports makes it `none` (§4.7). */
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

/** What is wrong with a record that `parseDmarc` refuses, as part of a sentence. */
export const dmarcFault = (text: string): string => {
  if (/^\s*v\s*=\s*DMARC1\s+\S/i.test(text)) return 'a semicolon is missing after v=DMARC1'
  if (/[a-z]\s*,\s*[a-z]+\s*=/i.test(text)) return "its parts are separated by ',' instead of ';'"
  const tags = parseTags(text)
  if (tags === null) {
    const names = text.split(';').map((part) => part.slice(0, part.indexOf('=')).trim())
    const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
    const odd = text
      .split(';')
      .find((part) => part.trim() !== '' && !/^\s*[a-z]\w*\s*=/i.test(part))
    return twice !== undefined && odd === undefined
      ? `'${twice}=' stands in it twice`
      : `'${(odd ?? text).trim()}' is no part of such a record`
  }
  if (tags.get('v') !== 'DMARC1' || tags.keys().next().value !== 'v')
    return 'it has to begin with v=DMARC1, in capitals'
  if (!tags.has('p')) return 'it names no policy (p=)'
  const wrong = ['p', 'sp', 'np'].find((tag) => tags.has(tag) && !policyOf(tags.get(tag)))
  return `'${wrong}=${tags.get(wrong ?? '')}' is no policy, which is none, quarantine or reject`
}

/** What a refused record can only have meant, as receivers read it: its policies and all else that is printable; p=none without a policy. */
export const mendedDmarc = (text: string): string => {
  const { p, sp, np, v: _version, ...others } = Object.fromEntries(looseTags(text))
  const mended = Object.entries({
    v: 'DMARC1',
    p: policyOf(p) ?? 'none',
    sp: policyOf(sp) ?? '',
    np: policyOf(np) ?? '',
    ...others,
  })
    .filter(([, value]) => /^[!#-[\]-~]+$/.test(value))
    .map(([tag, value]) => `${tag}=${value}`)
    .join('; ')
  return parseDmarc(mended) ? mended : DEFAULT_DMARC
}

/** Whatever separates them; of those that stand there twice the first. */
const looseTags = (text: string): Map<string, string> => {
  const tags = new Map<string, string>()
  let last = ''
  for (const part of text.replace(/\s+/g, ' ').replace(/ ?= ?/g, '=').split(/[;, ]/)) {
    const [, name, value = ''] = /^([a-z]{1,10})=(.*)$/i.exec(part) ?? []
    if (name !== undefined) {
      last = tags.has(name.toLowerCase()) ? '' : name.toLowerCase()
      if (last !== '') tags.set(last, value)
    }
    // A further address for reports.
    else if (/^ru[af]$/.test(last) && part !== '') tags.set(last, `${tags.get(last)},${part}`)
  }
  return tags
}

export type DmarcLookUp = (
  name: string,
) => Promise<{ outcome: 'found'; values: string[] } | { outcome: 'none' } | { outcome: 'failed' }>

/**
 * The DMARC policy that applies to a domain, found by walking up the tree (RFC 9989 §4.10).
 * `name` is where the record stands, with its `_dmarc.`; null when none applies; `failed` when DNS did not answer.
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
    if (at === domain) return named(at, text)
    // The record of a public suffix is for what has no organisation of its own.
    found.push({ at, text, ...record })
    if (record.psd !== undefined) break
  }
  // Of the organisation: the one with the fewest labels that is no public suffix.
  const organisation = found.findLast(({ psd }) => psd !== 'y') ?? found.at(-1)
  return organisation ? named(organisation.at, organisation.text) : null
}

const MAX_LABELS = 8

/** The domain, then its parents; from a long name straight to the one with seven labels. */
const stepsOf = (domain: string): string[] => {
  const labels = domain.split('.')
  const from = labels.length > MAX_LABELS ? labels.length - MAX_LABELS + 1 : 1
  const parents = labels.slice(from).map((_, at) => labels.slice(from + at).join('.'))
  return [domain, ...parents]
}

const named = (at: string, text: string) => ({ name: `_dmarc.${at}`, text })
