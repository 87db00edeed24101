/** The DMARC policy that applies to a domain, found by walking up the tree (RFC 9989 §4.10). */
import { isDmarc, parseDmarc } from './dmarc-record.ts'

export type DmarcLookUp = (
  name: string,
) => Promise<{ outcome: 'found'; values: string[] } | { outcome: 'none' } | { outcome: 'failed' }>

/** `name` is where the record stands, with its `_dmarc.`; null when none applies; `failed` when DNS did not answer. */
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
