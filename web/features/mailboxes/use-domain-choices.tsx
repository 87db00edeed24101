import { Link } from 'react-router'
import { type Domain, domainCan, listDomains } from '#contract/domains.ts'
import { memberCan } from '#contract/rights.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { paths } from '#web/paths.ts'

/** The domains that a mailbox can be made under: active and verified ones only. */
export function useDomainChoices() {
  const domains = useApi(listDomains, {})
  const choices: Domain[] = domains.data?.filter(domainCan.takeMailboxes) ?? []
  return {
    choices,
    isPending: domains.isPending,
    isFailed: domains.isError && !domains.data,
    retry: domains.refetch,
  }
}

/** A domain as people read it; as it is for those who may not list domains. */
export function useUnicodeName(): (name: string) => string {
  const role = useRole()
  const maySee = role !== undefined && memberCan(role, 'see-domains')
  const { data } = useApi(listDomains, {}, { enabled: maySee })
  return (name) => data?.find((domain) => domain.name === name)?.unicodeName ?? name
}

const linkStyle = 'text-accent-ink underline underline-offset-2'

/** Why there is no domain to choose, and the way on; nothing when there is one. */
export function noDomainHint({
  choices,
  isPending,
  isFailed,
  retry,
}: ReturnType<typeof useDomainChoices>) {
  if (isFailed)
    return (
      <>
        The domains could not be loaded.{' '}
        <button type="button" className={linkStyle} onClick={() => void retry()}>
          Try again
        </button>
      </>
    )
  if (isPending || choices.length > 0) return null
  return (
    <>
      No domain is active yet.{' '}
      <Link to={paths.addDomain()} className={linkStyle}>
        Add and verify one
      </Link>{' '}
      first.
    </>
  )
}
