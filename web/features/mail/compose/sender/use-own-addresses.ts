import { useQueryClient } from '@tanstack/react-query'
import { listAddresses } from '#contract/mail/aliases.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { queryOf, useApi } from '#web/lib/api/use-api.ts'

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
