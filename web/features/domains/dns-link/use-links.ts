import { useQueryClient } from '@tanstack/react-query'
import {
  type DnsLink,
  type LINK_DAYS,
  listDnsLinks,
  listManyDnsLinks,
  mailDnsLink,
  makeDnsLink,
  makeManyDnsLink,
  revokeDnsLink,
} from '#contract/dns/links.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'

/** Ids of the domains that the links open: links to one domain, or to several, are made and listed. */
export type Linked = readonly [string, ...string[]]

const isToOne = (linked: Linked): boolean => linked.length === 1
const ofOne = ([id]: Linked) => ({ params: { id } })

/** Reloaded each time the list opens: no live event says when a link was last opened. */
export function useLinks(linked: Linked) {
  const toOne = useApi(listDnsLinks, ofOne(linked), { staleTime: 0, enabled: isToOne(linked) })
  const toMany = useApi(listManyDnsLinks, {}, { staleTime: 0, enabled: !isToOne(linked) })
  return isToOne(linked) ? toOne : toMany
}

/** Puts a link into the cached list, so that it shows at once. */
function useUpdateList(linked: Linked) {
  const client = useQueryClient()
  const key = isToOne(linked) ? keyOf(listDnsLinks, ofOne(linked)) : keyOf(listManyDnsLinks, {})
  return (link: DnsLink) =>
    client.setQueryData<DnsLink[]>(key, (links = []) =>
      links.some(({ _id }) => _id === link._id)
        ? links.map((each) => (each._id === link._id ? link : each))
        : [link, ...links],
    )
}

export function useMakeLink(linked: Linked) {
  const updateList = useUpdateList(linked)
  const toOne = useCall(makeDnsLink, { onSuccess: updateList })
  const toMany = useCall(makeManyDnsLink, { onSuccess: updateList })
  return {
    make: (days: (typeof LINK_DAYS)[number]) =>
      isToOne(linked)
        ? toOne.mutateAsync({ ...ofOne(linked), body: { days } })
        : toMany.mutateAsync({ body: { ids: [...linked], days } }),
    isPending: toOne.isPending || toMany.isPending,
  }
}

export function useMailLink(linked: Linked) {
  const updateList = useUpdateList(linked)
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
