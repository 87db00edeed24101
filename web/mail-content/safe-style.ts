/**
 * Sanitises the style attributes of mails by an allow-list: nothing that loads (url, image-set), nothing that moves out of its
 * box (position), only plain numbers, words, colours and quoted font names.
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

/** Returns the allowed part of a style attribute; '' when nothing is allowed. */
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

/** Backslashes, comments, @ and braces are not in plainValue, so no escape can hide a word. */
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

/**
 * The style sheet of the mail frame: white, because mails are written for it; dark like the page only for mails without
 * colours.
 */
export const frameStyle = `
html { color-scheme: light; background: #fff; overflow-y: hidden; }
body { margin: 0; padding: 20px 24px; box-sizing: border-box; overflow-wrap: anywhere; background: #fff; color: #1d2029;
  font: 15px/1.6 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (max-width: 480px) { body { padding-block: 16px; } }
body > :first-child { margin-top: 0; }
body > :last-child { margin-bottom: 0; }
img { max-width: 100%; height: auto; }
table { overflow-wrap: normal; }
pre { white-space: pre-wrap; }
a { color: #2f49d1; }
html.dark, html.dark body { color-scheme: dark; background: #16191e; color: #eceef2; }
html.turned img { filter: hue-rotate(180deg) invert(1); }
html.dark a { color: #a9bbff; }
html.dark blockquote { border-color: #3a3f4a; color: #b3b8c4; }
a:focus-visible { outline: 2px solid #2f49d1; outline-offset: 2px; }
blockquote { margin: 12px 0 0; padding-left: 14px; border-left: 3px solid #dcdfe8; color: #4d5364; }
.remote-image { display: inline-flex; align-items: center; justify-content: center; box-sizing: border-box;
  max-width: 100%; min-width: 48px; padding: 4px 10px; overflow: hidden; border: 1px dashed #c3c8d4; border-radius: 8px;
  background: #f5f6f9; color: #5a6072; font: 12px/1.4 Inter, system-ui, sans-serif; text-align: center; vertical-align: middle; }
.room { display: inline-block; max-width: 100%; }
html.dark .remote-image { border-color: #4a505d; background: #23272f; color: #b3b8c4; }
details.quote { margin-top: 12px; }
details.quote > summary { display: inline-flex; align-items: center; min-height: 24px; padding: 0 10px; border-radius: 12px;
  background: #e9ebf1; color: #4d5364; font: 10px/1 system-ui, sans-serif; letter-spacing: 1px; list-style: none; cursor: pointer; }
details.quote > summary::-webkit-details-marker { display: none; }
details.quote > summary:hover { background: #dcdfe8; }
details.quote > summary:focus-visible { outline: 2px solid #2f49d1; outline-offset: 2px; }
details.quote[open] > summary { margin-bottom: 8px; }
html.dark details.quote > summary { background: #2c313b; color: #b3b8c4; }
`
