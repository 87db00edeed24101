/**
 * The text of an API key: 'mailstead_', 30 random letters and digits (178 bits), and six that are their CRC-32, by which programs that
 * look for leaked secrets, and the door, know a key from other text without asking the database.
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_PREFIX } from '#contract/developers/api-keys.ts'
import { hashToken } from '#server/lib/secrets.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const SUM_LENGTH = 6

const form = new RegExp(
  `^${KEY_PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${SUM_LENGTH}})$`,
)

export const newApiKey = (): string => {
  const random = Array.from(
    { length: RANDOM_LENGTH },
    () => ALPHABET[randomInt(ALPHABET.length)],
  ).join('')
  return KEY_PREFIX + random + sumOf(random)
}

/** Whether somebody means a key, and not an access token. */
export const looksLikeKey = (text: string): boolean => text.startsWith(KEY_PREFIX)

/** What is stored and looked up; null when the text cannot be a key. SHA-256 is enough: nobody guesses 178 bits. */
export const hashApiKey = (text: string): Buffer | null => {
  const [, random = '', sum] = form.exec(text) ?? []
  return sum === sumOf(random) ? hashToken(text) : null
}

export const endingOf = (key: string): string => key.slice(-4)

const sumOf = (random: string): string => {
  let rest = crc32(random)
  let sum = ''
  for (let n = 0; n < SUM_LENGTH; n += 1) {
    sum = ALPHABET[rest % ALPHABET.length] + sum
    rest = Math.floor(rest / ALPHABET.length)
  }
  return sum
}
