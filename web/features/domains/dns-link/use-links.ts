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

/** Fresh whenever the list is opened: when links were last open is said by no event. */
export const useLinks = (domainId: string) =>
  useApi(listDnsLinks, { params: { id: domainId } }, { staleTime: 0 })

/** Puts a link into the list as it is now, so that it is there at once. */
function useShow(domainId: string) {
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
  const show = useShow(domainId)
  return useCall(makeDnsLink, { onSuccess: show })
}

export function useMailLink(domainId: string) {
  const show = useShow(domainId)
  return useCall(mailDnsLink, {
    onSuccess: (link) => {
      show(link)
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
