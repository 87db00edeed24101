/** Pasted lines that name a mailbox and the private address of its person, as a spreadsheet or an export has them. */

const ADDRESS = /[^\s,;<>"'()[\]]+@[^\s,;<>"'()[\]]+/g

export type PrivateAddresses = {
  /** By the address of the mailbox, in lower case. */
  byMailbox: ReadonlyMap<string, string>
  /** Lines that have text and name no mailbox of the list with one private address. */
  unread: string[]
}

export function readPrivateAddresses(
  text: string,
  mailboxes: readonly { email: string }[],
): PrivateAddresses {
  const known = new Set(mailboxes.map(({ email }) => email.toLowerCase()))
  const byMailbox = new Map<string, string>()
  const unread: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const found = [...new Set((line.match(ADDRESS) ?? []).map((address) => address.toLowerCase()))]
    const [mailbox, ...more] = found.filter((address) => known.has(address))
    const [own, ...others] = found.filter((address) => !known.has(address))
    if (mailbox && own && more.length === 0 && others.length === 0) byMailbox.set(mailbox, own)
    else if (line.trim() !== '') unread.push(line.trim())
  }
  return { byMailbox, unread }
}
