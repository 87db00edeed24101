import { emailAddress } from '#contract/fields.ts'
import { domainOf, domainToAscii, localPartOf } from '#server/standards/address.ts'

/** An address as accounts and mailboxes are stored; '' where the text is none. */
export const addressIn = (wanted: string): string => {
  const read = emailAddress.safeParse(wanted)
  if (!read.success) return ''
  const domain = domainToAscii(domainOf(read.data))
  return domain === null ? '' : `${localPartOf(read.data)}@${domain}`
}
