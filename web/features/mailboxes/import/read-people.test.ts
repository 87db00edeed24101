import { expect, it } from 'vitest'
import { asCsv } from '#web/lib/csv.ts'
import { decodeTable, readPeople } from './read-people.ts'

const max = { firstName: 'Max', lastName: 'Weiß', email: '', domain: 'maier.de' }
const table = 'Vorname;Name;Domäne\r\nMax;Weiß;maier.de'
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

it.each([
  ['UTF-8', Buffer.from(table)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${table}`)],
  ['UTF-16LE', utf16(`\uFEFF${table}`)],
  ['UTF-16BE', utf16(`\uFEFF${table}`, true)],
  ['UTF-16LE without its mark', utf16(table)],
  ['UTF-16BE without its mark', utf16(table, true)],
  ['Windows-1252', Buffer.from(table, 'latin1')],
])('a file in %s is read', (_encoding, bytes) => {
  expect(readPeople(decodeTable(bytes))).toEqual([{ row: 2, ...max }])
})

it.each([
  ['semicolons', 'Max;Weiß;maier.de'],
  ['tabs, straight from a spreadsheet', 'First name\tLast name\tDomain\nMax\tWeiß\tmaier.de\n'],
  ['quotes', '"Domain","E-Mail","Last Name","First Name"\n"maier.de","","Weiß","Max"'],
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
  ['an @ before the domain', 'Max;Weiß;maier.de'],
])('a table with %s is read', (_what, text) => {
  expect(readPeople(text).map(({ row: _, ...person }) => person)).toEqual([max])
})

it('reads what Excel saves as Unicode text: UTF-16 with tabs', () => {
  const bytes = utf16('\uFEFFVorname\tNachname\tDomäne\r\nMax\tWeiß\tmaier.de\r\n')
  expect(readPeople(decodeTable(bytes))).toEqual([{ row: 2, ...max }])
})

it('writes nothing that runs where cells are divided at semicolons or tabs', async () => {
  const cells = ['x;=1+1;y', 'x;"=1+1', 'x\t+1', 'x\n-1', 'x; @SUM(1)', '＝1+1', 'v=DKIM1; k=rsa']
  const text = decodeTable(new Uint8Array(await asCsv([cells]).arrayBuffer()))
  // As Excel of a country that writes 1,5 reads it: quotes count only at the start of a cell.
  const read = text.split(/[;\t\r\n]/).map((cell) => cell.replace(/^["\s]+/, ''))
  expect(read).toContain("'=1+1")
  expect(read.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([])
  expect(text).toContain('v=DKIM1; k=rsa')
})

it('reads one name a line, leaves blank lines out and keeps the rows of the file', () => {
  expect(readPeople('Max Weiß\n\n , \nAna María de Cruz\nCher')).toEqual([
    { row: 1, ...max, domain: '' },
    { row: 4, firstName: 'Ana María de', lastName: 'Cruz', email: '', domain: '' },
    { row: 5, firstName: 'Cher', lastName: '', email: '', domain: '' },
  ])
})

it('reads addresses, and formulas as text', () => {
  const [one, two] = readPeople('max@maier.de,Max,Weiß\n=1+1,@SUM(A1),x@maier.de')
  expect(one).toEqual({ row: 1, ...max, email: 'max@maier.de', domain: '' })
  expect(two).toMatchObject({ firstName: '=1+1', lastName: '@SUM(A1)', email: 'x@maier.de' })
})

it('writes a file in which nothing runs, and reads it again', async () => {
  const cells = ['=cmd|A1', '+1', '-1', '@SUM(1)', '\tx', 'a"b', 'Weiß, Max']
  const blob = asCsv([cells])
  const bytes = new Uint8Array(await blob.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const text = decodeTable(bytes)
  expect(text).toContain(`"'=cmd|A1","'+1","'-1","'@SUM(1)","'\tx","a""b","Weiß, Max"`)
  expect(readPeople(`First name,Last name\r\n${text.slice(text.indexOf('"'))}`)).toMatchObject([
    { firstName: '=cmd|A1', lastName: '+1' },
  ])
})
