/** The result of checking one record. */
import type { RecordState } from '#contract/domains.ts'
import type { DnsAnswer } from '#server/lib/dns/dns.ts'
import { printable } from '#server/lib/plain-text.ts'

export type Verdict = {
  /** `unknown`: there was no definite answer. */
  state: RecordState
  found: string[]
  /** What is wrong, in one sentence; '' when nothing is. */
  explanation: string
  /** How to correct it, in one sentence; '' when there is nothing to do. */
  fix: string
  /** The value to publish; absent when the expected value stays as it is. */
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
  // Explanations quote values from DNS.
  explanation: shownText(explanation),
  fix: shownText(fix),
})

export const couldNotCheck = (reason: string): Verdict =>
  verdict(
    'unknown',
    [],
    `This record could not be checked: ${reason}.`,
    'There is nothing to do: we will check again.',
  )

/** The values of an answer; null when it is not definite. */
export const valuesOf = (answer: DnsAnswer): string[] | null => {
  if (answer.outcome === 'failed') return null
  return answer.outcome === 'found' ? answer.records.map(({ data }) => data) : []
}

export const shownText = (text: string): string => {
  const plain = printable(text)
  return plain.length > MAX_TEXT ? `${plain.slice(0, MAX_TEXT).toWellFormed()}…` : plain
}
