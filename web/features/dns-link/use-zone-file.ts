import { useMutation } from '@tanstack/react-query'
import { getZoneFileByLink } from '#contract/dns/links.ts'
import { open } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { toastError } from '#web/lib/toast-store.ts'

/** All records in one file, saved. */
export function useZoneFile(token: string, domainName: string) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { method, path } = getZoneFileByLink
      const answer = await open(path, { method, body: JSON.stringify({ token }) })
      saveAs(await answer.blob(), `${domainName}.zone`)
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return { download: () => mutate(), isPending }
}
