/** The words by which a mailbox tells its junk from its mail. Taken from what is stored of a message, so that it can be learnt later. */
import { domainOf } from '../address.ts'

export type Worded = {
  subject: string
  from: { address: string } | null
  searchText: string
}

/** What follows says little more, and learning and scoring stay short. */
const MAX_TEXT = 20_000
const MAX_TOKENS = 400
const MIN_LENGTH = 3
const MAX_LENGTH = 30

const word = /[\p{L}\p{N}]+(?:[.'’-][\p{L}\p{N}]+)*/gu
/** Written without spaces: pairs of characters stand for words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** Each once. Marked with where they stood: `from:`, `domain:` and `subject:`. */
export const tokensOf = ({ subject, from, searchText }: Worded): string[] => {
  const tokens = new Set<string>()
  const add = (token: string) => void (tokens.size < MAX_TOKENS && tokens.add(token))
  const address = from?.address.toLowerCase() ?? ''
  if (address !== '') {
    const domain = domainOf(address)
    add(`from:${address.slice(0, 100).toWellFormed()}`)
    add(`domain:${domain.slice(0, 100).toWellFormed()}`)
  }
  for (const part of wordsOf(subject.toLowerCase())) add(`subject:${part}`)
  for (const part of wordsOf(withoutAddresses(searchText.slice(0, MAX_TEXT).toLowerCase())))
    add(part)
  return [...tokens]
}

/** The recipients are in every message; the sender has tokens of its own. */
const withoutAddresses = (text: string): string =>
  text
    .split(/\s+/)
    .filter((part) => !part.includes('@'))
    .join(' ')

const wordsOf = (text: string): string[] => {
  const words: string[] = []
  for (const [found] of text.matchAll(word)) {
    if (words.length >= MAX_TOKENS) break
    if (unspaced.test(found)) words.push(...pairsOf(found))
    else if (found.length >= MIN_LENGTH && found.length <= MAX_LENGTH && !/^[\d.-]+$/.test(found))
      words.push(found)
  }
  return words
}

const pairsOf = (text: string): string[] => {
  const characters = [...text.slice(0, MAX_TOKENS)]
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}
