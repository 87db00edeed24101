/** What a check says about one record. */
import type { RecordState } from '#contract/domains.ts'
import type { DnsAnswer } from '#server/lib/dns/dns.ts'
import { printable } from '#server/lib/dns/printable.ts'

export type Verdict = {
  /** `unknown`: nothing definite was learnt. */
  state: RecordState
  found: string[]
  /** One sentence on what is wrong; '' when nothing is. */
  explanation: string
  /** One sentence on how to mend it; '' when there is nothing to do. */
  fix: string
  /** The value to publish, where what was found changes it. */
  value?: string
}

const MAX_FOUND = 20
const MAX_TEXT = 1000

export const verdict = (
  state: RecordState,
  found: string[],
  explanation = '',
  fix = '',
): Verdict => ({
  state,
  found: found.slice(0, MAX_FOUND).map(shownText),
  // Sentences quote what stood in DNS.
  explanation: shownText(explanation),
  fix: shownText(fix),
})

export const couldNotCheck = (reason: string): Verdict =>
  verdict(
    'unknown',
    [],
    `This record could not be checked: ${reason}.`,
    'There is nothing to do; we will look again.',
  )

/** The values of an answer; null when it says nothing definite. */
export const valuesOf = (answer: DnsAnswer): string[] | null => {
  if (answer.outcome === 'failed') return null
  return answer.outcome === 'found' ? answer.records.map(({ data }) => data) : []
}

export const shownText = (text: string): string => {
  const plain = printable(text)
  return plain.length > MAX_TEXT ? `${plain.slice(0, MAX_TEXT).toWellFormed()}…` : plain
}
