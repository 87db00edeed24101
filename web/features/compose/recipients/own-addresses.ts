/** Which addresses belong to the mailbox: those that it sends from, also with a +tag. */

import { useQueryClient } from '@tanstack/react-query'
import { listAddresses } from '#contract/mail/aliases.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Person } from '#contract/messages.ts'
import { queryOf, useApi } from '#web/lib/api/use-api.ts'

const withoutTag = (address: string): string => address.replace(/\+[^@]*/, '')

export function isOwnAddress(address: string, own: readonly string[]): boolean {
  const known = address.toLowerCase()
  return own.includes(known) || own.includes(withoutTag(known))
}

/** Returns the address among these people that belongs to the mailbox, else its main address: the sender of a reply. */
export function senderAmong(people: readonly Person[], own: readonly string[]): string {
  const addresses = people.map(({ address }) => address.toLowerCase())
  return (
    addresses.find((address) => own.includes(address)) ??
    addresses.find((address) => isOwnAddress(address, own)) ??
    own[0] ??
    ''
  )
}

/**
 * Returns a function that loads the addresses that the mailbox may send from, the main one first. Prefetched when the mailbox
 * opens, so that a new message starts at once. When loading fails, only the main address remains.
 */
export function useOwnAddresses(mailbox: Mailbox): () => Promise<string[]> {
  const client = useQueryClient()
  const args = { params: { id: mailbox._id } }
  useApi(listAddresses, args)
  return () =>
    client
      .ensureQueryData({ ...queryOf(listAddresses, args), retry: false })
      .catch(() => [mailbox.email])
}
