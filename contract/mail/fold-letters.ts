/** How a search compares letters: without accents, as they are typed on a plain keyboard (decision 066). */

/** Letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', þ: 'th', Þ: 'TH' },
  ...{ ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D' },
  ...{ ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T', ı: 'i' },
}
const isSpecial = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')
const accents = /[\u0300-\u036f]+/gu

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

/** 'Zürich' becomes 'Zurich', 'Straße' 'Strasse'. The function `fold_letters` of the database does the same. */
export const foldLetters = (text: string): string =>
  isAscii(text)
    ? text
    : text
        .normalize('NFD')
        .replace(accents, '')
        .replace(isSpecial, (letter) => plainLetters[letter] ?? letter)
        .normalize('NFC')

export type Span = { from: number; to: number }

/** Where a text has one of the words; these are folded and in lower case. In order, without overlaps, longest word first. */
export const placesOfWords = (text: string, words: readonly string[]): Span[] => {
  const each = words.filter((word) => word !== '').toSorted((a, b) => b.length - a.length)
  if (each.length === 0) return []
  const { folded, starts } = foldedWithPlaces(text)
  const pattern = new RegExp(each.map(escaped).join('|'), 'gu')
  return Array.from(folded.matchAll(pattern), ({ index, 0: found }) => ({
    from: starts[index] ?? 0,
    to: starts[index + found.length] ?? text.length,
  }))
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A letter with the accents that follow it. */
const letters = /[\s\S][\u0300-\u036f]*/gu

/** The folded text in lower case, and for each of its places the place in the text. */
const foldedWithPlaces = (text: string): { folded: string; starts: number[] } => {
  const starts: number[] = []
  let folded = ''
  for (const { index, 0: letter } of text.matchAll(letters)) {
    const plain = foldLetters(letter).toLowerCase()
    for (let n = 0; n < plain.length; n++) starts.push(index)
    folded += plain
  }
  return { folded, starts }
}
