import { shownAddress, shownHost } from './spelling/shown-host.ts'

/**
 * A table with the columns Email and Domain as people write them, 'ada@münchen.example'. Where one is another one for
 * programs, the addresses stand in a last column as those need them. An import leaves that column out.
 */
export function readableTable(table: readonly string[][]): string[][] {
  const [headings = [], ...rows] = table
  const [email, domain] = [headings.indexOf('Email'), headings.indexOf('Domain')]
  const isOther = rows.some((cells) => {
    const [address = '', host = ''] = [cells[email], cells[domain]]
    return shownAddress(address) !== address || shownHost(host) !== host
  })
  if (!isOther) return [...table]
  return [
    [...headings, 'ASCII email'],
    ...rows.map((cells) => [
      ...cells.map((cell, at) =>
        at === email ? shownAddress(cell) : at === domain ? shownHost(cell) : cell,
      ),
      cells[email] ?? '',
    ]),
  ]
}
