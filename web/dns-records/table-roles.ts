/**
 * Below 1280 px each record is a card. Browsers forget what a table is when its display changes, so the roles are said.
 */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
}
