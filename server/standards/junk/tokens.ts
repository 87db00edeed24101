/**
 * The words that a mailbox learns junk and good mail by. They come from stored fields, so that a message can also be learnt
 * later.
 */
import { domainOf } from '../address.ts'

export type Worded = {
  subject: string
  from: { address: string } | null
  searchText: string
}

/** Text beyond this adds little, and learning and scoring stay fast. */
const MAX_TEXT = 20_000
const MAX_TOKENS = 400
const MIN_LENGTH = 3
const MAX_LENGTH = 30

const word = /[\p{L}\p{N}]+(?:[.'’-][\p{L}\p{N}]+)*/gu
/** Scripts without spaces: pairs of characters replace words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** Distinct tokens, some with a prefix for their origin: `from:`, `domain:`, `subject:`. */
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

/** The recipients are in every message, and the sender has tokens of its own. */
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
