/** Reads people from a file or a pasted table, as spreadsheets and directories write them (decision 059). */
import { domainInCell, type ImportRow } from '#contract/many-mailboxes.ts'
import { areGerman, type Field, type Heading, headingOf, headingText, isVague } from './headings.ts'
import { firstCells, parseTable, type TableRow } from './parse-table.ts'

/** `privateEmail`: where the access link can be mailed; it is not sent with the import. */
export type Person = ImportRow & { privateEmail: string }
export type People = { people: Person[] } | { fault: string }

/** One person a row, which keeps its place in the file. */
export function readPeople(text: string): People {
  if (text.trim() === '') return { fault: 'Please choose a file or paste a table' }
  const table = parseTable(text)
  if ('fault' in table) return table
  const [first, ...others] = table.rows
  const headings = headingsOf(first?.cells ?? [])
  if (headings === null)
    return { people: table.rows.map(({ row, cells }) => ({ row, ...byShape(cells) })) }
  if (others.length === 0)
    return { fault: 'The table has only headings. Add a row for each person below them.' }
  const missing = missingIn(headings)
  if (missing) return { fault: missing }
  const columns = columnsOf(headings, first?.cells ?? [], others)
  if ('fault' in columns) return columns
  return { people: others.map(({ row, cells }) => ({ row, ...byHeading(columns, cells) })) }
}

/** Whether addresses made from names are spelled as in German: by the headings, else by the language of the person. */
export const isGermanTable = (text: string, language: string): boolean =>
  areGerman(firstCells(text)) ?? /^de\b/i.test(language)

type Headings = (Heading | undefined)[]

/** null: the first row is a person. */
function headingsOf(cells: readonly string[]): Headings | null {
  const headings = cells.map(headingOf)
  if (headings.every((heading) => heading === undefined)) return null
  if (cells.some((cell) => cell.includes('@'))) return null
  // A heading among cells that are none: 'Domain' may be a family name, too.
  if (headings.filter(Boolean).length === 1 && cells.filter(Boolean).length > 3) return null
  // 'Name' beside 'Vorname', and 'Nom' beside 'Prénom', is the last name.
  const has = (heading: Heading) => headings.includes(heading)
  const isLastName = has('firstName') && !has('lastName')
  // 'Nome' and 'Nombre' without a last name are whole names.
  const isWhole =
    isLastName && !has('name') && cells.some((cell) => /^(nome|nombre)s?$/i.test(cell))
  return headings.map((heading) => {
    if (heading === 'name' && isLastName) return 'lastName'
    return heading === 'firstName' && isWhole ? 'name' : heading
  })
}

function missingIn(headings: Headings): string | null {
  const has = (heading: Heading) => headings.includes(heading)
  if (has('name') || (has('firstName') && has('lastName'))) return null
  if (!has('firstName') && !has('lastName'))
    return 'No heading is for names. Call a column “First name” and one “Last name”, or one “Name”.'
  const missing = has('firstName') ? 'lastName' : 'firstName'
  return `The table has no column “${headingText[missing]}”. Add it, or call the column of whole names “Name”.`
}

/** Where each field stands: the first filled cell of these columns counts. */
type Columns = ReadonlyMap<Heading, readonly number[]>

function columnsOf(
  headings: Headings,
  cells: readonly string[],
  rows: readonly TableRow[],
): Columns | { fault: string } {
  const columns = new Map<Heading, readonly number[]>()
  for (const heading of new Set(headings)) {
    if (heading === undefined) continue
    const all = headings.flatMap((each, at) => (each === heading ? [at] : []))
    const plain = all.filter((at) => !isVague(cells[at] ?? ''))
    const chosen = plain.length > 0 ? plain : all
    const differ = rows.find(({ cells: row }) => new Set(filledAt(row, chosen)).size > 1)
    if (differ)
      return {
        fault: `${chosen.length} columns are for “${headingText[heading]}” (${chosen.map((at) => cells[at]).join(', ')}), and row ${differ.row} says different things in them. Remove one of them.`,
      }
    // An address of a house is none.
    const isStreet =
      heading === 'email' &&
      plain.length === 0 &&
      !rows.some(({ cells: row }) => filledAt(row, chosen).some((cell) => cell.includes('@')))
    if (!isStreet) columns.set(heading, chosen)
  }
  return columns
}

const filledAt = (cells: readonly string[], at: readonly number[]): string[] =>
  at.flatMap((index) => cells[index] || [])

function byHeading(columns: Columns, cells: readonly string[]): Record<Field, string> {
  const at = (heading: Heading) => filledAt(cells, columns.get(heading) ?? [])[0] ?? ''
  const [email, privateEmail] = [splitAddress(at('email')), splitAddress(at('privateEmail'))]
  const hasNames = at('name') || at('firstName') || at('lastName')
  const whole = splitName(hasNames ? at('name') : email.name || privateEmail.name)
  return {
    firstName: at('firstName') || whole.firstName,
    lastName: at('lastName') || whole.lastName,
    email: email.address,
    domain: at('domain'),
    privateEmail: privateEmail.address,
  }
}

const DOMAIN = /^(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.)+\p{L}[\p{L}\p{N}\p{M}-]+$/u

function byShape(cells: readonly string[]): Record<Field, string> {
  const filled = cells.flatMap((cell) => {
    const { name, address } = splitAddress(cell)
    return [name, address].filter(Boolean)
  })
  const addresses = filled.filter((cell) => /.@/.test(cell))
  const [email = '', privateEmail = ''] = addresses
  const others = filled.filter((cell) => !addresses.includes(cell))
  const domain = others.find((cell) => DOMAIN.test(domainInCell(cell))) ?? ''
  const [first = '', last] = others.filter((cell) => cell !== domain)
  const names = last === undefined ? splitName(first) : { firstName: first, lastName: last }
  return { ...names, email, domain, privateEmail }
}

/** 'Max Weiß <max@home.example>', as mail programs write it. */
function splitAddress(cell: string): { name: string; address: string } {
  const [, name, address] = /^([^<>]*)<([^<>\s]+@[^<>\s]+)>$/.exec(cell) ?? []
  if (name === undefined || address === undefined) return { name: '', address: cell }
  return { name: name.replace(/["']/g, '').trim(), address }
}

/** 'Max Weiß' and 'Weiß, Max'. */
function splitName(name: string): { firstName: string; lastName: string } {
  const [last = '', first] = name.split(/\s*,\s*/, 2)
  if (first !== undefined) return { firstName: first, lastName: last }
  const words = name.split(/\s+/)
  return { firstName: words.slice(0, -1).join(' ') || name, lastName: words.slice(1).at(-1) ?? '' }
}
