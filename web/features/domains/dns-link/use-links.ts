import { useQueryClient } from '@tanstack/react-query'
import {
  type DnsLink,
  listDnsLinks,
  mailDnsLink,
  makeDnsLink,
  revokeDnsLink,
} from '#contract/dns/links.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'

/** Reloaded each time the list opens: no live event says when a link was last opened. */
export const useLinks = (domainId: string) =>
  useApi(listDnsLinks, { params: { id: domainId } }, { staleTime: 0 })

/** Puts a link into the cached list, so that it shows at once. */
function useUpdateList(domainId: string) {
  const client = useQueryClient()
  const key = keyOf(listDnsLinks, { params: { id: domainId } })
  return (link: DnsLink) =>
    client.setQueryData<DnsLink[]>(key, (links = []) =>
      links.some(({ _id }) => _id === link._id)
        ? links.map((each) => (each._id === link._id ? link : each))
        : [link, ...links],
    )
}

export function useMakeLink(domainId: string) {
  const updateList = useUpdateList(domainId)
  return useCall(makeDnsLink, { onSuccess: updateList })
}

export function useMailLink(domainId: string) {
  const updateList = useUpdateList(domainId)
  return useCall(mailDnsLink, {
    onSuccess: (link) => {
      updateList(link)
      toast({ title: 'Link sent', description: `To ${link.sentTo}`, variant: 'success' })
    },
  })
}

export function useRevokeLink() {
  return useCall(revokeDnsLink, {
    onSuccess: () =>
      void toast({
        title: 'Link revoked',
        description: 'It no longer works.',
        variant: 'success',
      }),
    onError: (error) => toastError(messageOf(error)),
  })
}
