/** The domains that a mailbox can be made under: active and verified ones only. */
import { type Domain, domainCan, listDomains } from '#contract/domains.ts'
import { useApi } from '#web/lib/api/use-api.ts'

export function useDomainChoices() {
  const domains = useApi(listDomains, {})
  const choices: Domain[] = domains.data?.filter(domainCan.takeMailboxes) ?? []
  return { choices, isPending: domains.isPending, error: domains.error }
}
