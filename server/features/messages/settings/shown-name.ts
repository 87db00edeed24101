export const OTHER_ADDRESS =
  'A name that holds another address misleads recipients. Leave the address out'

type Mailbox = { email: string; displayName: string; firstName: string; lastName: string }

/** The name in From. One that passes the mailbox off as another address is left out, wherever it was entered. */
export const shownName = (mailbox: Mailbox): string => {
  const name = mailbox.displayName || `${mailbox.firstName} ${mailbox.lastName}`.trim()
  return holdsOtherAddress(name, mailbox.email) ? '' : name
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu
const dots = /[\u3002\uff61]/g
/** Longer than real ones need not be told apart; a bound keeps it linear. */
const addresses = /([^\s@<>()",;:[\]]{1,64})\s{0,3}@\s{0,3}([^\s@<>()",;:[\]]{1,255})/gu

/** Does it hold what looks like a mail address, in whatever width its characters are, that is not this one? */
export const holdsOtherAddress = (name: string, own: string): boolean => {
  const plain = name.normalize('NFKC').replace(invisible, '').replace(dots, '.').toLowerCase()
  return [...plain.matchAll(addresses)].some(
    ([, local, domain = '']) => domain.includes('.') && `${local}@${domain}` !== own.toLowerCase(),
  )
}
