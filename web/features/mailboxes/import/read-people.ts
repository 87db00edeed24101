/** Reads people from a file or a pasted table, as spreadsheets and directories write them (decision 059). */
import Papa from 'papaparse'
import type { ImportRow } from '#contract/many-mailboxes.ts'

/** Text of a file: UTF-8, UTF-16 with or without its mark, else Windows-1252. */
export function decodeTable(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = bytes.subarray(0, 200)
  const zeros = (odd: 0 | 1) =>
    start.filter((byte, at) => byte === 0 && at % 2 === odd).length > start.length / 4
  if (zeros(1)) return new TextDecoder('utf-16le').decode(bytes)
  if (zeros(0)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** One person a row. Blank rows are left out, and the others keep their place in the file. */
export function readPeople(text: string): ImportRow[] {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimitersToGuess: ['\t', ';', ','],
  })
  const rows = data
    .map((cells, index) => ({ row: index + 1, cells: cells.map(asText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const headings = headingsOf(rows[0]?.cells ?? [])
  const read = headings === null ? byShape : byHeading(headings)
  return rows.slice(headings === null ? 0 : 1).map(({ row, cells }) => ({ row, ...read(cells) }))
}

/** Our own export puts an apostrophe before what a spreadsheet would run. */
const asText = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '')

type Person = Omit<ImportRow, 'row'>
type Heading = keyof Person | 'name'

const known: Record<Heading, string> = {
  firstName: 'firstname first givenname given forename vorname prenom nombre',
  lastName:
    'lastname last surname familyname nachname familienname zuname apellido apellidos cognome',
  email:
    'email mail emailaddress mailaddress mailbox address primaryemail username useremail emailadresse mailadresse adresse postfach correo courriel',
  domain: 'domain domainname domane dominio domaine',
  name: 'name fullname displayname person vollername anzeigename',
}

const headingOf = (cell: string): Heading | undefined => {
  const word = cell
    .replace(/\[[^\]]*\]|\([^)]*\)/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const found = Object.entries(known).find(([, words]) => words.split(' ').includes(word))
  return found?.[0] as Heading | undefined
}

/** null: the first row is a person. */
function headingsOf(cells: readonly string[]): (Heading | undefined)[] | null {
  const headings = cells.map(headingOf)
  if (headings.every((heading) => heading === undefined)) return null
  if (cells.some((cell) => cell.includes('@'))) return null
  // In German 'Name' beside 'Vorname' is the last name.
  const isLastName = headings.includes('firstName') && !headings.includes('lastName')
  return headings.map((heading) => (heading === 'name' && isLastName ? 'lastName' : heading))
}

const byHeading =
  (headings: readonly (Heading | undefined)[]) =>
  (cells: readonly string[]): Person => {
    const at = (heading: Heading) => cells[headings.indexOf(heading)] ?? ''
    const whole = splitName(at('name'))
    return {
      firstName: at('firstName') || whole.firstName,
      lastName: at('lastName') || whole.lastName,
      email: at('email'),
      domain: at('domain'),
    }
  }

const DOMAIN = /^@?(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.)+\p{L}[\p{L}\p{N}\p{M}-]+\.?$/u

function byShape(cells: readonly string[]): Person {
  const filled = cells.filter((cell) => cell !== '')
  const email = filled.find((cell) => /.@/.test(cell)) ?? ''
  const domain = filled.find((cell) => cell !== email && DOMAIN.test(cell)) ?? ''
  const [first = '', last] = filled.filter((cell) => cell !== email && cell !== domain)
  const names = last === undefined ? splitName(first) : { firstName: first, lastName: last }
  return { ...names, email, domain }
}

/** 'Max Weiß' and 'Weiß, Max'. */
function splitName(name: string): { firstName: string; lastName: string } {
  const [last = '', first] = name.split(/\s*,\s*/, 2)
  if (first !== undefined) return { firstName: first, lastName: last }
  const words = name.split(/\s+/)
  return { firstName: words.slice(0, -1).join(' ') || name, lastName: words.slice(1).at(-1) ?? '' }
}
