/**
 * Reads the domains in a pasted text: a column or rows of a spreadsheet, a list with commas, a mail, a web page. Web and mail
 * addresses stand for their domain, which the reader sees before anything is added. Pure.
 */
import { addDomainForm } from '#contract/domains.ts'
import { MAX_ADDED_AT_ONCE } from '#contract/many-domains.ts'
import { meantDomain } from '#web/lib/spelling/misspelled.ts'
import { likelyDomain, typedDomain } from '../wizard/domain-name-step.tsx'

/**
 * add: a domain that can be added. same: an earlier entry is the same domain. there: the workspace has it. left: text that is
 * no domain, beside one or as a heading. fault: nothing can be made of it.
 */
export type NameKind = 'add' | 'same' | 'there' | 'left' | 'fault'

export type NameRow = {
  /** Where it stands in the text. */
  start: number
  end: number
  typed: string
  /** The domain in lower case; what was typed when it is none. */
  name: string
  kind: NameKind
  /** Why it is not added, or from what the domain was read; empty: it stands there as it is. */
  note: string
  /** The domain that is probably meant; null: nothing speaks for a mistake. */
  meant: string | null
}

/** What separates entries, also what quotes and brackets them. Everything else belongs to one. */
const ENTRIES = /[^\s,;|<>()[\]{}"“”„«»‹›`\u200b-\u200f\u2060\ufeff]+/g
const WRAPPING = /^['‘’.:!?*•·–—~#=/\\-]+|['‘’.:!?*•·–—~#=/\\-]+$/g
const LINES = /[^\r\n]+/g

const EXISTS = 'Already in your workspace'
const NOT_A_DOMAIN = 'Not a domain'
const BESIDE = 'No domain: left out'
const HEADING = 'A heading: left out'
const PUBLIC_MAIL = 'An address at a public mail service'
const TOO_MANY = `At most ${MAX_ADDED_AT_ONCE} names at once`

const headings =
  /^(#|nr|no|id|(domain|host|site)? ?names?|domains?|web ?sites?|urls?|hosts?|home ?pages?|web ?seiten?|e-?mails?|address(es)?|clients?|customers?|kunden?|company|companies|firma|status|providers?|registrars?|mx)$/i

/** Their domain belongs to the service, not to the person. */
const publicMail =
  /^(gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|aol|icloud|me|mac|gmx|web|t-online|freenet|proton|protonmail|mail|orange|libero|wanadoo|yandex|qq|163)\.(com|net|org|de|at|ch|fr|it|es|nl|uk|co\.uk|me|ru|eu)$/

type Entry = Pick<NameRow, 'start' | 'end' | 'typed'>
type Read = Entry & { name: string | null; note: string; isWord: boolean }

/** `known`: the A-labels and Unicode names of the workspace's domains. */
export function readNames(text: string, known: ReadonlySet<string>): NameRow[] {
  const first = new Map<string, string>()
  let good = 0
  const judge = ({ isWord, ...read }: Read): NameRow => {
    const row = { ...read, meant: null }
    if (row.name === null) return { ...row, name: row.typed, kind: isWord ? 'left' : 'fault' }
    const { name } = row
    const ascii = asciiOf(name)
    const before = first.get(ascii)
    if (before !== undefined) {
      const isAsBefore = before.toLowerCase() === row.typed.toLowerCase()
      const note = isAsBefore ? 'Already in this list' : `The same as ${before}`
      return { ...row, name, kind: 'same', note }
    }
    first.set(ascii, row.typed)
    if (known.has(name) || known.has(ascii)) return { ...row, name, kind: 'there', note: EXISTS }
    good += 1
    if (good > MAX_ADDED_AT_ONCE) return { ...row, name, kind: 'fault', note: TOO_MANY }
    return { ...row, name, kind: 'add', meant: meantDomain(name, known) }
  }
  let isFirst = true
  return [...text.matchAll(LINES)].flatMap(({ 0: line, index }) => {
    const rows = readLine(line, index, isFirst)
    if (rows.length > 0) isFirst = false
    return rows.map(judge)
  })
}

/** Words beside a domain are one entry, and so is a line without one. */
function readLine(line: string, start: number, isFirst: boolean): Read[] {
  const read = [...line.matchAll(ENTRIES)].flatMap((match) => {
    const typed = match[0].replace(WRAPPING, '')
    const place = { start: start + match.index, end: start + match.index + match[0].length }
    return typed === '' ? [] : [readEntry({ ...place, typed })]
  })
  const words = read.filter(({ isWord }) => isWord)
  const others = read.filter(({ isWord }) => !isWord)
  const [word, last] = [words[0], words.at(-1)]
  if (!word || !last) return others
  const typed = words.map((each) => each.typed).join(' ')
  if (others.length > 0) return [...others, { ...word, typed, note: BESIDE }]
  const cells = line.split(/[,;|\t]/).map((cell) => cell.replace(/^[\s"']+|[\s"':]+$/g, ''))
  const isHeading = isFirst && cells.some((cell) => headings.test(cell))
  const whole = { start: word.start, end: last.end, typed, name: null }
  if (isHeading) return [{ ...whole, note: HEADING, isWord: true }]
  // A sentence is nothing to mend; one word may be a domain without its dot.
  const isSentence = words.length > 1
  return [{ ...whole, note: isSentence ? BESIDE : NOT_A_DOMAIN, isWord: isSentence }]
}

function readEntry(entry: Entry): Read {
  const typed = entry.typed.replace(/:\d+$/, '')
  const likely = likelyDomain(typed)
  const none = { ...entry, name: null }
  if (likely !== null && typed.includes('@') && publicMail.test(likely))
    return { ...none, note: PUBLIC_MAIL, isWord: false }
  if (likely !== null) return { ...entry, name: likely, note: `From ${typed}`, isWord: false }
  const parsed = addDomainForm.safeParse({ name: typedDomain(typed) })
  const isNumber = /^[\d.]+$/.test(typed)
  if (parsed.success && !isNumber)
    return { ...entry, name: parsed.data.name, note: '', isWord: false }
  const message = parsed.error?.issues[0]?.message ?? NOT_A_DOMAIN
  // A price, a date or an abbreviation has a dot, too.
  const isName =
    typed.includes('@') || /\.[^\d\s.]{2,}$/.test(typed) || /^\d+(\.\d+){3}$/.test(typed)
  return { ...none, note: isName ? message : NOT_A_DOMAIN, isWord: !isName }
}

/** The same domain in another spelling has the same A-labels. */
const asciiOf = (name: string): string => {
  try {
    return new URL(`http://${name}`).hostname
  } catch {
    return name
  }
}

/** The text with what is probably meant in the place of a row. */
export const withMeant = (text: string, { start, end, meant }: NameRow): string =>
  meant === null ? text : text.slice(0, start) + meant + text.slice(end)

/** Takes these rows out of the text. */
export function withoutRows(text: string, rows: readonly NameRow[]): string {
  return rows
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end }) => now.slice(0, start) + now.slice(end), text)
    .replace(/[,;|]+(?=[,;|])/g, '')
    .replace(/^[ \t]*[,;|]+[ \t]*/gm, '')
    .replace(/^[\s,;|]+|[\s,;|]+$/g, '')
    .replace(/\n\s*\n+/g, '\n')
}
