/** What strangers wrote, for the log: it cannot end a line, colour a terminal, or fill a disk. */

const MOST_CHARACTERS = 320
const MOST_ITEMS = 20
const MOST_STACK = 8_000

/** Controls, directions of writing, separators of lines, and halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

export const harmlessText = (text: string, most = MOST_CHARACTERS): string => {
  const cut = text.length > most
  return `${(cut ? text.slice(0, most) : text).replace(unseen, '?')}${cut ? '…' : ''}`
}

/** Texts in it, and in lists in it. */
export const harmless = (value: unknown): unknown => {
  if (typeof value === 'string') return harmlessText(value)
  if (!Array.isArray(value)) return value
  const items = value.slice(0, MOST_ITEMS).map(harmless)
  return value.length > MOST_ITEMS ? [...items, `and ${value.length - MOST_ITEMS} more`] : items
}

/** Of an error: it may have lines. */
export const harmlessStack = (stack: string): string =>
  stack
    .slice(0, MOST_STACK)
    .split('\n')
    .map((line) => harmlessText(line, 1_000))
    .join('\n')
