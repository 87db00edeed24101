/**
 * The style attributes of mails, by allow-list: nothing that loads (url, image-set), nothing that
 * leaves its place (position), nothing that is not plain numbers, words, colours and quoted font names.
 */

const allowed = new Set(
  `color background-color background font font-family font-size font-style font-variant font-weight
  line-height letter-spacing word-spacing text-align text-decoration text-decoration-line
  text-decoration-color text-decoration-style text-indent text-transform vertical-align white-space
  word-break word-wrap overflow-wrap direction width min-width max-width height min-height max-height
  margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right
  padding-bottom padding-left border border-top border-right border-bottom border-left border-color
  border-top-color border-right-color border-bottom-color border-left-color border-style
  border-top-style border-right-style border-bottom-style border-left-style border-width
  border-top-width border-right-width border-bottom-width border-left-width border-radius
  border-top-left-radius border-top-right-radius border-bottom-left-radius border-bottom-right-radius
  border-collapse border-spacing box-sizing caption-side empty-cells list-style-type table-layout
  display float clear opacity`.split(/\s+/),
)

const MAX_STYLE_LENGTH = 4000
const MAX_VALUE_LENGTH = 300
const plainValue = /^[\w\s#.,%()+\-/'"!]*$/
const knownFunctions = new Set(['rgb', 'rgba', 'hsl', 'hsla'])
const displays =
  /^(?:none|block|inline|inline-block|table|inline-table|table-row|table-cell|table-row-group|list-item)$/

/** What of a style attribute may stay, '' when nothing. */
export function safeStyle(style: string): string {
  if (style.length > MAX_STYLE_LENGTH) return ''
  return style
    .split(';')
    .map(safeDeclaration)
    .filter((declaration) => declaration !== '')
    .join('; ')
}

function safeDeclaration(declaration: string): string {
  const colon = declaration.indexOf(':')
  if (colon < 0) return ''
  const property = declaration.slice(0, colon).trim().toLowerCase()
  const value = declaration
    .slice(colon + 1)
    .replace(/!\s*important\s*$/i, '')
    .trim()
  if (!allowed.has(property) || value === '' || !isPlain(value)) return ''
  if (property === 'display' && !displays.test(value.toLowerCase())) return ''
  return `${property}: ${value}`
}

/** Backslashes, comments, at-signs and braces are not in the alphabet, so a word is what it looks like. */
function isPlain(value: string): boolean {
  if (value.length > MAX_VALUE_LENGTH || !plainValue.test(value) || value.includes('!'))
    return false
  const isEven = (sign: string) => (value.split(sign).length - 1) % 2 === 0
  if (!isEven('"') || !isEven("'") || value.includes('/*')) return false
  if (value.split('(').length !== value.split(')').length) return false
  return [...value.matchAll(/([\w-]*)\s*\(/g)].every(([, name = '']) =>
    knownFunctions.has(name.toLowerCase()),
  )
}
