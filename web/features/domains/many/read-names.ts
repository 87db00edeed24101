/** Reads the domains in a pasted text: a column of a spreadsheet, a list with commas, web and mail addresses. */
import { addDomainForm } from '#contract/domains.ts'
import { MAX_ADDED_AT_ONCE } from '#contract/many-domains.ts'
import { likelyDomain, typedDomain } from '../wizard/domain-name-step.tsx'

export type NameRow = {
  /** Where it stands in the text. */
  start: number
  end: number
  typed: string
  /** The domain in lower case; what was typed when it is none. */
  name: string
  /** Why it cannot be added as it is; empty: it can. */
  fault: string
  /** The domain that is probably meant; null: none. */
  proposal: string | null
}

/** What separates names. Everything else belongs to one, also what makes it wrong. */
const NAMES = /[^\s,;|]+/g
const WRAPPING = /^[<>"'()[\]]+|[<>"'()[\].]+$/g

const EXISTS = 'Already in your workspace'
const REPEATED = 'Already in this list'
const TOO_MANY = `At most ${MAX_ADDED_AT_ONCE} names at once`

/** `known`: the A-labels and Unicode names of the workspace's domains. */
export function readNames(text: string, known: ReadonlySet<string>): NameRow[] {
  const seen = new Set<string>()
  let good = 0
  return [...text.matchAll(NAMES)].flatMap((match) => {
    const row = readName(match[0], match.index)
    if (row === null) return []
    if (row.fault !== '') return [row]
    const ascii = asciiOf(row.name)
    if (seen.has(ascii)) return [{ ...row, fault: REPEATED }]
    seen.add(ascii)
    if (known.has(row.name) || known.has(ascii)) return [{ ...row, fault: EXISTS }]
    good += 1
    return [good > MAX_ADDED_AT_ONCE ? { ...row, fault: TOO_MANY } : row]
  })
}

function readName(match: string, start: number): NameRow | null {
  const typed = match.replace(WRAPPING, '')
  if (typed === '') return null
  const place = { start, end: start + match.length, typed }
  const parsed = addDomainForm.safeParse({ name: typedDomain(typed) })
  const proposal = likelyDomain(typed)
  const name = parsed.data?.name ?? typed
  if (!parsed.success)
    return { ...place, name, proposal, fault: faultOf(typed, parsed.error.issues[0]?.message) }
  const fault = proposal === null ? '' : 'The name of a web site, not of addresses'
  return { ...place, name, proposal, fault }
}

const faultOf = (typed: string, message = 'Not a domain'): string => {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) return 'A web address'
  if (typed.includes('@')) return 'A mail address'
  return typed.includes('.') ? message : 'Not a domain'
}

/** The same domain in another spelling has the same A-labels. */
const asciiOf = (name: string): string => {
  try {
    return new URL(`http://${name}`).hostname
  } catch {
    return name
  }
}

/** Puts the proposals of these rows into the text. */
export function takeProposals(text: string, rows: readonly NameRow[]): string {
  return rows
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (now, { start, end, proposal }) =>
        proposal === null ? now : now.slice(0, start) + proposal + now.slice(end),
      text,
    )
}

/** Takes these rows out of the text. */
export function withoutRows(text: string, rows: readonly NameRow[]): string {
  return rows
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end }) => now.slice(0, start) + now.slice(end), text)
    .replace(/[,;|]+(?=[,;|])/g, '')
    .replace(/^[\s,;|]+|[\s,;|]+$/g, '')
    .replace(/\n\s*\n+/g, '\n')
}
