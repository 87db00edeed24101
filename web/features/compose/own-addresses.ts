/** Which addresses are the mailbox's own: those that it sends as, and each of them with a +tag. */

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

/**
 * What the mailbox may send as, its own address first. Asked for when the mailbox opens, so that it is known when somebody
 * writes; where it cannot be learnt, its own address is left.
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
