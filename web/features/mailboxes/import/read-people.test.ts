import { expect, it } from 'vitest'
import { domainInCell } from '#contract/many-mailboxes.ts'
import { separatorOf } from '#contract/spreadsheet.ts'
import { asCsv } from '#web/lib/csv.ts'
import { decodeTable } from './decode-table.ts'
import { isGermanTable, type Person, readPeople } from './read-people.ts'

const max = { firstName: 'Max', lastName: 'Weiß', email: '', domain: 'maier.de', privateEmail: '' }
const table = 'Vorname;Name;Domäne\r\nMax;Weiß;maier.de'
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

const peopleIn = (text: string): Person[] => {
  const read = readPeople(text)
  return 'people' in read ? read.people : []
}
const textOf = (bytes: Uint8Array): string => {
  const decoded = decodeTable(bytes)
  return 'text' in decoded ? decoded.text : ''
}
const faultIn = (text: string) => {
  const read = readPeople(text)
  return 'fault' in read ? read.fault : read.people
}

it.each([
  ['UTF-8', Buffer.from(table)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${table}`)],
  ['UTF-16LE', utf16(`\uFEFF${table}`)],
  ['UTF-16BE', utf16(`\uFEFF${table}`, true)],
  ['UTF-16LE without its mark', utf16(table)],
  ['UTF-16BE without its mark', utf16(table, true)],
  ['Windows-1252', Buffer.from(table, 'latin1')],
  ['UTF-8 with a NUL here and there', Buffer.from(table.replace('Max', 'M\0ax'))],
])('a file in %s is read', (_encoding, bytes) => {
  expect(peopleIn(textOf(bytes))).toEqual([{ row: 2, ...max }])
})

it.each([
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'This file is a picture'],
  ['a photo', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'This file is a picture'],
  ['a spreadsheet', Buffer.from('PK\x03\x04\x14\0', 'latin1'), 'This file is a spreadsheet.'],
  ['a PDF file', Buffer.from('%PDF-1.4\n'), 'This file is a PDF file.'],
  ['an old spreadsheet', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), 'an old spreadsheet'],
  ['a program', Buffer.from([...'\x7fELF\x02\x01\x01'].join('\x01\x02\x03')), 'not a table'],
  ['nothing', Buffer.from(''), 'The file is empty.'],
  ['only blank lines', Buffer.from('\uFEFF \r\n\r\n'), 'The file is empty.'],
])('a file that is %s is refused in words', (_what, bytes, words) => {
  expect(decodeTable(bytes)).toEqual({ fault: expect.stringContaining(words) })
})

it.each([
  ['semicolons', 'Max;Weiß;maier.de'],
  ['tabs, straight from a spreadsheet', 'First name\tLast name\tDomain\nMax\tWeiß\tmaier.de\n'],
  ['bars', 'Name|Domain\nMax Weiß|maier.de'],
  ['quotes', '"Domain","E-Mail","Last Name","First Name"\n"maier.de","","Weiß","Max"'],
  ['old line ends', 'First name;Last name;Domain\rMax;Weiß;maier.de\r'],
  ['the separator in its first line', 'sep=;\nName;Domain\n"Weiß, Max";maier.de'],
  ['a separator of its own', 'sep=#\nName#Domain\nWeiß, Max#maier.de'],
  [
    'another order and strange columns',
    'Phone,Surname,domain name,given name\n1,Weiß,maier.de,Max',
  ],
  [
    'the headings of a directory',
    'First Name [Required],Last Name [Required],Domain\nMax,Weiß,maier.de',
  ],
  ['a whole name', 'Max Weiß; maier.de'],
  ['a whole name, last name first', 'Name;Domain\n"Weiß, Max";maier.de'],
  ['a comma in each name', 'Name;Domain\nWeiß, Max;maier.de'],
  ['a comma in each name and no headings', 'Weiß, Max; maier.de'],
  ['headings in French', 'Prénom;Nom;Domaine\nMax;Weiß;maier.de'],
  ['headings in Spanish', 'Nombre;Apellidos;Dominio\nMax;Weiß;maier.de'],
  ['one heading for names in Spanish', 'Nombre;Dominio\nMax Weiß;maier.de'],
  ['headings in Italian', 'Nome;Cognome;Dominio\nMax;Weiß;maier.de'],
  ['a street', 'Vorname;Nachname;Adresse;Domain\nMax;Weiß;Am Markt 1;maier.de'],
  ['the same column twice', 'First name;Last name;Domain;Domain\nMax;Weiß;;maier.de'],
  ['an @ before the domain', 'Max;Weiß;@maier.de'],
  ['a dot behind the domain', 'Max;Weiß;maier.de.'],
  ['a web address for the domain', 'Max;Weiß;https://maier.de/'],
])('a table with %s is read', (_what, text) => {
  expect(
    peopleIn(text).map(({ row: _, ...person }) => ({
      ...person,
      domain: domainInCell(person.domain),
    })),
  ).toEqual([max])
})

it.each([
  ['nothing', ' \n', 'Please choose a file or paste a table'],
  ['only headings', 'Vorname;Name;Domäne\r\n', 'The table has only headings.'],
  ['no names', 'Domain;Phone\na.de;1\n', 'No heading is for names.'],
  ['no last name', 'First name;Domain\nMax;a.de', 'The table has no column “Last name”.'],
  [
    'a mark that stays open',
    'Name;Domain\nA B;a.de\n"C D;a.de\nE F;a.de',
    'Row 3 opens a quotation',
  ],
  ['text behind a mark', 'Name;Domain\n"A" B;a.de\nC D;a.de', 'Row 2 has text behind a closing'],
  [
    'two columns that differ',
    'Name;E-Mail;Email\nA B;a@a.de;b@a.de',
    '2 columns are for “Email” (E-Mail, Email), and row 2 says different things in them.',
  ],
])('a table with %s is refused in words', (_what, text, words) => {
  expect(faultIn(text)).toEqual(expect.stringContaining(words))
})

it('reads what Excel saves as Unicode text: UTF-16 with tabs', () => {
  const bytes = utf16('\uFEFFVorname\tNachname\tDomäne\r\nMax\tWeiß\tmaier.de\r\n')
  expect(peopleIn(textOf(bytes))).toEqual([{ row: 2, ...max }])
})

it('reads one name a line, leaves blank lines out and keeps the rows of the file', () => {
  const rest = { email: '', domain: '', privateEmail: '' }
  expect(peopleIn('Max Weiß\n\n , \nAna María de Cruz\nCher')).toEqual([
    { row: 1, ...max, domain: '' },
    { row: 4, firstName: 'Ana María de', lastName: 'Cruz', ...rest },
    { row: 5, firstName: 'Cher', lastName: '', ...rest },
  ])
})

it('reads 10,000 rows, right-to-left names and very long cells', () => {
  const rows = Array.from({ length: 9999 }, (_, at) => `"عمر, ${at}";${'x'.repeat(at % 500)};a.de`)
  const people = peopleIn(`First name;Last name;Domain\n${rows.join('\n')}\nA;${'y'.repeat(1e6)};b`)
  expect(people).toHaveLength(10_000)
  expect(people[9998]).toMatchObject({ row: 10_000, firstName: 'عمر, 9998', domain: 'a.de' })
  expect(people.at(-1)?.lastName).toHaveLength(1e6)
})

it('reads addresses, private ones too, and formulas as text', () => {
  const [one, two] = peopleIn('max@maier.de,Max,Weiß,max@home.example\n=1+1,@SUM(A1),x@maier.de')
  expect(one).toEqual({
    ...{ row: 1, ...max, email: 'max@maier.de', domain: '', privateEmail: 'max@home.example' },
  })
  expect(two).toMatchObject({ firstName: '=1+1', lastName: '@SUM(A1)', email: 'x@maier.de' })
  const named = peopleIn('Name;Email;Private email\nMax Weiß;max@maier.de;max@home.example')
  expect(named).toMatchObject([{ email: 'max@maier.de', privateEmail: 'max@home.example' }])
})

it('takes name and address apart where a mail program wrote them as one', () => {
  const ann = { firstName: 'Ann', lastName: 'Test2', email: 'ann@gmx.example' }
  expect(peopleIn('Ann Test2 <ann@gmx.example>')).toMatchObject([ann])
  expect(peopleIn('Name;E-Mail\n;Ann Test2 <ann@gmx.example>')).toMatchObject([ann])
  expect(peopleIn('Name;E-Mail\nAnn Test2;A. <ann@gmx.example>')).toMatchObject([ann])
})

it('spells as in German by the headings, else by the language of the person', () => {
  expect(isGermanTable('Vorname;Name;Domain\nA;B;c.de', 'en-US')).toBe(true)
  expect(isGermanTable('First name;Last name\nA;B', 'de-DE')).toBe(false)
  expect(isGermanTable('Jörg Müller; a.de', 'de-AT')).toBe(true)
  expect(isGermanTable('Jörg Müller; a.de', 'en-GB')).toBe(false)
})

it.each([
  ['de-DE', ';'],
  ['de-CH', ';'],
  ['fr', ';'],
  ['pt-BR', ';'],
  ['en-US', ','],
  ['en-GB', ','],
  ['ja', ','],
  ['no language!', ','],
])('the spreadsheets of %s divide cells at a %s', (language, separator) => {
  expect(separatorOf(language)).toBe(separator)
})

it('writes nothing that runs, wherever a spreadsheet divides the cells', async () => {
  const hostile = [
    ...['x;=1+1;y', 'x;"=1+1', 'x\t+1', 'x\n-1', 'x; @SUM(1)', '＝1+1', 'x,=1+1', 'x, "+1'],
  ]
  for (const separator of [';', ','] as const) {
    const bytes = new Uint8Array(
      await asCsv([[...hostile, 'v=DKIM1; k=rsa']], separator).arrayBuffer(),
    )
    const text = textOf(bytes)
    expect(text).toContain('v=DKIM1; k=rsa')
    for (const divided of [/[;\t\r\n]/, /[,\t\r\n]/]) {
      // Quotes count only at the start of a cell.
      const read = text.split(divided).map((cell) => cell.replace(/^["\s]+/, ''))
      expect(read.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([])
    }
  }
})

it('writes a file for each country, and reads it again', async () => {
  const heads = ['First name', 'Last name', 'Email', 'Domain']
  const cells = [
    ...[
      ['=cmd|A1', '+1', 'a@a.de', 'a.de'],
      ['-1', '@SUM(1)', '', 'a.de'],
    ],
    ...[
      ['Zoë "Z"', 'Müller, Dr.', '', 'b.de'],
      ['x;=1', 'y, -z', '', 'b.de'],
    ],
  ]
  for (const separator of [';', ','] as const) {
    const bytes = new Uint8Array(await asCsv([heads, ...cells], separator).arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = textOf(bytes)
    expect(text.replace('\uFEFF', '')).toMatch(new RegExp(`^First name${separator}Last name`))
    expect(
      peopleIn(text).map(({ firstName, lastName, email, domain }) => [
        ...[firstName, lastName, email, domain],
      ]),
    ).toEqual(cells)
  }
})
