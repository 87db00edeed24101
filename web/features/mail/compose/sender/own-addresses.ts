/** Which addresses are the mailbox's own: those that it sends as, and each of them with a +tag. */
import type { Person } from '#contract/messages.ts'

const withoutTag = (address: string): string => address.replace(/\+[^@]*/, '')

export function isOwnAddress(address: string, own: readonly string[]): boolean {
  const known = address.toLowerCase()
  return own.includes(known) || own.includes(withoutTag(known))
}

/** The one of these people that is the mailbox itself, or else its own address: what an answer is from. */
export function senderAmong(people: readonly Person[], own: readonly string[]): string {
  const addresses = people.map(({ address }) => address.toLowerCase())
  return (
    addresses.find((address) => own.includes(address)) ??
    addresses.find((address) => isOwnAddress(address, own)) ??
    own[0] ??
    ''
  )
}
