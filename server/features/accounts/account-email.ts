import { domainToASCII } from 'node:url'
import { invalidField } from '#contract/errors.ts'

/**
 * The one form under which an account is known: the domain as A-labels, so that both spellings of a
 * Unicode domain are the same account.
 * @throws VALIDATION on `email`
 */
export const accountEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  const domain = domainToASCII(email.slice(at + 1))
  if (domain === '') throw invalidField('email', 'Invalid email address')
  return `${email.slice(0, at)}@${domain}`
}
