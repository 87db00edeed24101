/**
 * Makes pasted HTML fit the editor, so that nothing is glued together: a table stays a table or becomes lines, a heading
 * keeps its level, or becomes a bold line where there are none. Parsed without a window, so that nothing loads or runs.
 */

export type Pasted = {
  html: string
  /** Pictures left out: the browser would load them from where they are. */
  leftOut: number
}

/** A table with more cells becomes lines: the editor would be slow. */
const MAX_CELLS = 2_000
const MAX_SPAN = 50
/** Between the cells of a row that becomes a line. */
const DIVIDER = ' | '

/** `isMessage`: the editor has tables and headings. */
export function pastedHtml(html: string, isMessage: boolean): Pasted {
  const { body } = new DOMParser().parseFromString(withTable(html), 'text/html')
  const leftOut = removeOutsidePictures(body)
  for (const each of body.querySelectorAll('legend, summary, option')) renamed(each, 'div')
  if (!isMessage)
    for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) boldLine(heading)
  // The innermost first.
  for (const table of [...body.querySelectorAll('table')].reverse()) convertTable(table, isMessage)
  return { html: body.innerHTML, leftOut }
}

/** Without its table a parser would drop the tags of a row, and keep the text. */
const withTable = (html: string): string =>
  /^\s*(?:<meta[^>]*>\s*)*<(?:tr|td|th|tbody|thead|tfoot|col|colgroup|caption)\b/i.test(html)
    ? `<table>${html}</table>`
    : html

function removeOutsidePictures(body: HTMLElement): number {
  let count = 0
  for (const image of body.querySelectorAll('img')) {
    if (/^(?:data|blob):/i.test(image.getAttribute('src') ?? '')) continue
    const isPixel = ['width', 'height'].some((side) => Number(image.getAttribute(side) ?? 9) < 3)
    if (!isPixel) count += 1
    image.remove()
  }
  return count
}

function boldLine(heading: Element): void {
  const line = renamed(heading, 'p')
  const strong = line.ownerDocument.createElement('strong')
  strong.append(...line.childNodes)
  line.append(strong)
}

function convertTable(table: HTMLTableElement, hasTables: boolean): void {
  const rows = [...table.rows]
  const cells = rows.flatMap((row) => [...row.cells])
  if (table.caption) table.before(renamed(table.caption, 'div'))
  if (isLayout(table, cells.length)) table.replaceWith(...cells.map((cell) => renamed(cell, 'div')))
  else if (!hasTables || cells.length > MAX_CELLS) table.replaceWith(...rows.flatMap(linesOfRow))
  else for (const cell of cells) limitSpans(cell, rows.length)
}

/** A table that only places things: its cells are read one after the other. */
const isLayout = (table: HTMLTableElement, cells: number): boolean =>
  cells < 2 ||
  /^(?:presentation|none)$/.test(table.getAttribute('role') ?? '') ||
  table.querySelector('table') !== null

function limitSpans(cell: HTMLTableCellElement, rows: number): void {
  for (const [name, most] of [
    ['colspan', MAX_SPAN],
    ['rowspan', Math.min(rows, MAX_SPAN)],
  ] as const) {
    const span = Number.parseInt(cell.getAttribute(name) ?? '', 10)
    cell.removeAttribute(name)
    if (span > 1) cell.setAttribute(name, String(Math.min(span, most)))
  }
}

/** One line with the cells of a row. A row with one filled cell keeps the lines of that cell. */
function linesOfRow(row: HTMLTableRowElement): Element[] {
  const cells = [...row.cells]
  const filled = cells.filter(isFilled)
  if (filled.length < 2) return filled.map((cell) => renamed(cell, 'div'))
  const line = row.ownerDocument.createElement('p')
  for (const [at, cell] of cells.entries()) {
    if (at > 0) line.append(DIVIDER)
    appendInline(line, cell)
  }
  return [line]
}

const isFilled = (cell: Element): boolean =>
  (cell.textContent ?? '').trim() !== '' || cell.querySelector('img') !== null

const BLOCKS =
  'address, article, aside, blockquote, br, dd, div, dl, dt, figure, footer, header, hr, li, main, nav, ol, p, pre, section, ul'

/** Appends the content of `from` without its line breaks: a space stands for each. */
function appendInline(line: Element, from: Element): void {
  for (const block of from.querySelectorAll(BLOCKS)) {
    if (block.previousSibling) block.before(' ')
    if (block.nextSibling) block.after(' ')
    block.replaceWith(...block.childNodes)
  }
  line.append(...from.childNodes)
}

function renamed(element: Element, name: string): Element {
  const other = element.ownerDocument.createElement(name)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}
