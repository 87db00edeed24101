import { escapeHtml } from '#server/lib/escape-html.ts'

/** What XML 1.0 §2.2 allows nowhere, escaped or not. */
const impossible = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** For text between tags and inside quoted attributes of XML. */
export const xmlText = (text: string): string =>
  escapeHtml(text.toWellFormed().replace(impossible, ''))
