/** Letters without formatting: the text of what stands in the editor, and back. Pure text work, so that nothing loads or runs. */

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Each line a paragraph, as in the editor. */
export const plainAsHtml = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')

/** For the server, which sends only the text of it: lines and spaces stay as they are. */
export const plainForMail = (text: string): string =>
  text === '' ? '' : `<div style="white-space: pre-wrap">${escaped(text)}</div>`

const entities: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" },
}
const unescaped = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_all, name: string) => entities[name] ?? '')

const PIECE = /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>|([^<]+)/gi

type List = { isNumbered: boolean; count: number }

/** What reading the pieces has found so far. */
type Reading = {
  lines: string[]
  /** Before each line: of quotations and list items. */
  indents: string[]
  lists: List[]
  links: { href: string; from: number }[]
  isLineBegun: boolean
  /** Of the row. */
  cells: number
}

/** The text of HTML that our editor wrote: lists with dashes or numbers, quotations with '>', rows as lines, no pictures. */
export function textOfBody(html: string): string {
  const reading: Reading = {
    ...{ lines: [''], indents: [], lists: [], links: [], isLineBegun: false, cells: 0 },
  }
  for (const [, slash, tag = '', attributes = '', text] of inOneLine(html).matchAll(PIECE)) {
    if (text !== undefined) write(reading, unescaped(text))
    else if (slash) close(reading, tag.toLowerCase())
    else open(reading, tag.toLowerCase(), attributes)
  }
  const { lines } = reading
  return lines.slice(0, reading.isLineBegun ? undefined : -1).join('\n')
}

/** Without the paragraphs of cells. */
const inOneLine = (html: string): string =>
  html.replace(
    /(<t[dh]\b[^>]*>)([\s\S]*?)(<\/t[dh]>)/gi,
    (_all, start: string, content: string, end: string) =>
      start + content.replace(/<\/p><p\b[^>]*>/gi, ' ').replace(/<\/?p\b[^>]*>/gi, '') + end,
  )

function write(reading: Reading, text: string): void {
  const { lines } = reading
  lines[lines.length - 1] += text
  reading.isLineBegun = true
}

function endLine(reading: Reading): void {
  if (!reading.isLineBegun) return
  reading.lines.push(reading.indents.join(''))
  reading.isLineBegun = false
}

/** The line that is not begun yet gets the present indents. */
function indent(reading: Reading): void {
  if (!reading.isLineBegun) reading.lines[reading.lines.length - 1] = reading.indents.join('')
}

function open(reading: Reading, tag: string, attributes: string): void {
  const { indents, lists, links, lines } = reading
  const begin = (before: string) => {
    endLine(reading)
    indents.push(before)
    indent(reading)
  }
  if (tag === 'br') {
    reading.isLineBegun = true
    endLine(reading)
    reading.isLineBegun = true
  } else if (isBlock(tag)) {
    endLine(reading)
    reading.isLineBegun = true
    reading.cells = 0
  } else if (tag === 'blockquote') begin('> ')
  else if (tag === 'ul' || tag === 'ol') lists.push({ isNumbered: tag === 'ol', count: 0 })
  else if (tag === 'li') {
    const list = lists.at(-1)
    if (list) list.count += 1
    endLine(reading)
    lines[lines.length - 1] = `${indents.join('')}${list?.isNumbered ? `${list.count}. ` : '- '}`
    indents.push('  ')
  } else if (tag === 'td' || tag === 'th') {
    if (reading.cells > 0) write(reading, ' | ')
    reading.cells += 1
  } else if (tag === 'a')
    links.push({
      href: /\bhref="([^"]*)"/i.exec(attributes)?.[1] ?? '',
      from: lines.at(-1)?.length ?? 0,
    })
}

function close(reading: Reading, tag: string): void {
  const { indents, lists, links, lines } = reading
  if (isBlock(tag)) endLine(reading)
  else if (tag === 'ul' || tag === 'ol') lists.pop()
  else if (tag === 'blockquote' || tag === 'li') {
    endLine(reading)
    indents.pop()
    indent(reading)
  } else if (tag === 'a') {
    const link = links.pop()
    const shown = lines.at(-1)?.slice(link?.from) ?? ''
    const href = unescaped(link?.href ?? '').replace(/^mailto:/, '')
    if (href !== '' && href.replace(/\/$/, '') !== shown.replace(/\/$/, ''))
      write(reading, ` <${href}>`)
  }
}

const isBlock = (tag: string): boolean => /^(?:p|div|h[1-6]|tr)$/.test(tag)
