import { domainToASCII } from 'node:url'
import { invalidField } from '#contract/errors.ts'
import { domainOf, localPartOf } from '#server/standards/address.ts'

/**
 * The normal form of an account's address: the domain as A-labels, so that both spellings of a
 * Unicode domain name the same account.
 * @throws VALIDATION on `email`
 */
export const accountEmail = (email: string): string => {
  const domain = domainToASCII(domainOf(email))
  if (domain === '') throw invalidField('email', 'Invalid email address')
  return `${localPartOf(email)}@${domain}`
}
