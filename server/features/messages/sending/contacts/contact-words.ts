/** How a person is found by the letters typed. */

/** Without marks and case. */
const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toWellFormed()

const wordsIn = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Each word with a space before it, and the address as it is typed. */
export const contactWords = (name: string, address: string): string =>
  ['', ...wordsIn(`${name} ${address}`), folded(address)].join(' ').slice(0, 1_000)

/** For LIKE: all of these are to be found. An address that is typed so far is one word. */
export const patternsOf = (typed: string): string[] => {
  const text = folded(typed).trim()
  const words = /^\S+@\S*$/.test(text) ? [text] : wordsIn(text)
  return words.slice(0, 10).map((word) => `% ${word.replace(/[\\%_]/g, '\\$&')}%`)
}
