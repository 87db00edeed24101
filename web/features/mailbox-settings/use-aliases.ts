import { useQueryClient } from '@tanstack/react-query'
import { type Alias, addAlias, listAliases, removeAlias } from '#contract/mail/aliases.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'

export const useAliases = (mailboxId: string) => useApi(listAliases, { params: { id: mailboxId } })

/** Updates the list at once; the sender addresses of new messages are reloaded. */
function useShow(mailboxId: string) {
  const client = useQueryClient()
  const key = keyOf(listAliases, { params: { id: mailboxId } })
  return (change: (aliases: Alias[]) => Alias[]) => {
    client.setQueryData<Alias[]>(key, (aliases) => aliases && change(aliases))
  }
}

export function useAddAlias(mailboxId: string) {
  const show = useShow(mailboxId)
  return useCall(addAlias, {
    onSuccess: (alias) => {
      toast({ title: 'Alias added', description: alias.email, variant: 'success' })
      show((aliases) => [...aliases.filter(({ _id }) => _id !== alias._id), alias])
    },
  })
}

export function useRemoveAlias(mailboxId: string, alias: Alias) {
  const show = useShow(mailboxId)
  const removed = () => show((aliases) => aliases.filter(({ _id }) => _id !== alias._id))
  return useCall(removeAlias, {
    onSuccess: () => {
      toast({ title: 'Alias removed', description: alias.email, variant: 'success' })
      removed()
    },
    onError: (error) => {
      toastError(messageOf(error))
      // Another member removed it first.
      if (error.type === 'NOT_EXISTS') removed()
    },
  })
}
