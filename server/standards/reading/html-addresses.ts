/** The web addresses in attribute values of HTML, as a browser reads them. Linear in the length of the text. */

const value =
  /=\s*(?:"\s*((?:https?:)?\/\/[^"]{1,4000})"|'\s*((?:https?:)?\/\/[^']{1,4000})'|((?:https?:)?\/\/[^\s"'<>]{1,4000}))/gi
const MAX_HTML_LENGTH = 2_000_000
const MAX_ADDRESSES = 1_000

export const addressesInHtml = (html: string): Set<string> => {
  const found = new Set<string>()
  for (const [, double, single, bare] of html.slice(0, MAX_HTML_LENGTH).matchAll(value)) {
    found.add(readable(double ?? single ?? bare ?? ''))
    if (found.size >= MAX_ADDRESSES) break
  }
  return found
}

const namedEntities: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

/** Removes the characters that a browser drops from an address, and resolves its character references. */
const readable = (text: string): string =>
  text
    .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|quot|apos|lt|gt));/gi, (all, hex, ten, name) => {
      if (name) return namedEntities[name.toLowerCase()] ?? all
      const code = hex ? Number.parseInt(hex, 16) : Number(ten)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
    })
    .replace(/[\t\r\n]/g, '')
    .trim()
