import { readFileSync } from 'node:fs'
import { invalidField } from '#contract/errors.ts'

const COMMON_PASSWORD =
  'This password is one of the most common ones and easily guessed. Please choose another'

let known: Set<string> | undefined

const commonPasswords = (): Set<string> => {
  known ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  )
  return known
}

/** @throws VALIDATION on `password`, whatever its case. */
export const refuseCommonPassword = (password: string): void => {
  if (commonPasswords().has(password.normalize('NFKC').toLowerCase()))
    throw invalidField('password', COMMON_PASSWORD)
}
