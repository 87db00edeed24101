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

/** @throws VALIDATION on the field, whatever the case of the password. */
export const refuseCommonPassword = (password: string, field = 'password'): void => {
  if (commonPasswords().has(password.normalize('NFKC').toLowerCase()))
    throw invalidField(field, COMMON_PASSWORD)
}
