/** The text of an app password: 140 random bits in letters and digits that are told apart in every typeface. */
import { randomBytes } from 'node:crypto'
import { hashToken } from '#server/lib/secrets.ts'

/** 32 characters, so that five bits choose one without a bias; without l, o, 0 and 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const LENGTH = 28

const form = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)
/** People copy dashes and spaces of any kind with it. */
const between = /[\s\p{Pd}]/gu

/** 'abcd-efgh-...': seven groups of four. */
export const newAppPassword = (): string => {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/.{4}(?!$)/g, (group) => `${group}-`)
}

/** What is stored and looked up; null when the text cannot be an app password. SHA-256 is enough: nobody guesses 140 bits. */
export const hashAppPassword = (typed: string): Buffer | null => {
  const plain = typed.replace(between, '').toLowerCase()
  return form.test(plain) ? hashToken(plain) : null
}
