/** Why an SPF record does not let our servers send, and the record that would. Pure. */
import type { SpfResult } from '#server/standards/dns-records/spf-check.ts'
import { expectedSpf, parseSpf } from '#server/standards/dns-records/spf-record.ts'

type Fault = { explanation: string; fix: string; value: string }
type Given = {
  name: string
  /** Our mechanisms. */
  ours: readonly string[]
  /** The strings that the record came in. */
  pieces: string[]
}

export const spfFault = (record: string, result: SpfResult, given: Given): Fault => {
  const { name, ours } = given
  const value = expectedSpf([record], ours)
  const fix = `Change the TXT record at ${name} to the value shown; it keeps what is there and adds our servers.`
  const ignored = `The SPF record of ${name} has a mistake, so receivers ignore it`
  const glued = gluedStrings(given)
  if (glued) return glued
  if (result.fault === 'too-many-look-ups') return tooManyLookUps(record, name, value)
  if (result.fault === 'too-many-voids')
    return {
      explanation: `${ignored}: ${result.reason}.`,
      fix: `Change the TXT record at ${name} to the value shown, which leaves out the names that do not exist.`,
      value: expectedSpf([without(record, result.voidTerms)], ours),
    }
  if (result.fault !== null && result.term !== null)
    return {
      explanation: `${ignored}: '${result.term}' cannot be used, since ${result.reason}.`,
      fix: `Correct '${result.term}', or change the TXT record at ${name} to the value shown, which leaves it out.`,
      value: expectedSpf([without(record, [result.term])], ours),
    }
  if (result.fault !== null) return { explanation: `${ignored}: ${result.reason}.`, fix, value }
  const late = behindAll(record, ours)
  if (late)
    return {
      explanation: `In the SPF record of ${name}, '${late.mechanism}' stands after '${late.all}', where receivers have stopped reading.`,
      fix: `Move '${late.all}' to the end: change the TXT record at ${name} to the value shown.`,
      value,
    }
  return {
    explanation: `The SPF record of ${name} does not let our servers send for it.`,
    fix,
    value,
  }
}

const tooManyLookUps = (record: string, name: string, value: string): Fault => {
  const asking = parseSpf(record).terms.filter(({ mechanism }) =>
    ['include', 'a', 'mx', 'ptr', 'exists'].includes(mechanism),
  )
  const named = asking.map(({ text }) => `'${text}'`).join(', ')
  return {
    explanation: `The SPF record of ${name} needs more than 10 DNS look-ups, the most that receivers make, so they ignore it.`,
    fix: `Remove from the record at ${name} what no longer sends for you, until 10 look-ups are left; these ask DNS: ${named}.`,
    value,
  }
}

/** Strings are joined as they are: a space between two words has to be in one of them. */
const gluedStrings = ({ name, ours, pieces }: Given): Fault | null => {
  if (pieces.length < 2) return null
  const at = pieces.findIndex(
    (piece, n) => n > 0 && isWordEnd(pieces[n - 1] ?? '') && isWordStart(piece),
  )
  if (at < 0 || parseSpf(pieces.join(' ')).broken.length > 0) return null
  const [before, after] = [lastWord(pieces[at - 1] ?? ''), firstWord(pieces[at] ?? '')]
  return {
    explanation: `The strings of the SPF record of ${name} are joined without a space, so that '${before}' and '${after}' became one word.`,
    fix: `Change the TXT record at ${name} to the value shown, in one string or with a space at the end of the first.`,
    value: expectedSpf([pieces.join(' ')], ours),
  }
}

const isWordEnd = (text: string): boolean => /\S$/.test(text)
const isWordStart = (text: string): boolean =>
  /^[+?~-]?(?:all|include:|a[:/ ]|mx[:/ ]|ip4:|ip6:|exists:|ptr|redirect=)/i.test(text) ||
  /^[+?~-]?(?:a|mx)$/i.test(text)
const lastWord = (text: string): string => text.split(' ').at(-1) ?? ''
const firstWord = (text: string): string => text.split(' ')[0] ?? ''

const behindAll = (
  record: string,
  ours: readonly string[],
): { mechanism: string; all: string } | null => {
  const { terms } = parseSpf(record)
  const all = terms.findIndex(({ mechanism }) => mechanism === 'all')
  const wanted = ours.map((each) => each.toLowerCase())
  const late = terms
    .slice(all + 1)
    .find(({ text }) => wanted.includes(text.replace(/^\+/, '').toLowerCase()))
  return all < 0 || !late ? null : { mechanism: late.text, all: terms[all]?.text ?? '' }
}

const without = (record: string, terms: string[]): string =>
  record
    .split(' ')
    .flatMap((word) => (!terms.includes(word) ? [word] : /^redirect=/i.test(word) ? ['~all'] : []))
    .join(' ')
