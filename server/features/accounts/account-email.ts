import { domainToASCII } from 'node:url'
import { invalidField } from '#contract/errors.ts'
import { domainOf, localPartOf } from '#server/standards/address.ts'

/**
 * The one form under which an account is known: the domain as A-labels, so that both spellings of a
 * Unicode domain are the same account.
 * @throws VALIDATION on `email`
 */
export const accountEmail = (email: string): string => {
  const domain = domainToASCII(domainOf(email))
  if (domain === '') throw invalidField('email', 'Invalid email address')
  return `${localPartOf(email)}@${domain}`
}
