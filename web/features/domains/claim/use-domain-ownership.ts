import { getOwnership } from '#contract/dns/claims.ts'
import { useApi } from '#web/lib/api/use-api.ts'

/** Read with the domain, so that its page does not jump; the page does without it when it cannot be read. */
export const useDomainOwnership = (id: string | null) => {
  const { data, isError } = useApi(
    getOwnership,
    { params: { id: id ?? '' } },
    { enabled: id !== null },
  )
  return { data, isPending: id !== null && data === undefined && !isError }
}
