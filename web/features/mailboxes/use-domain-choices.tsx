import { Link } from 'react-router'
import { type Domain, domainCan, listDomains } from '#contract/domains.ts'
import { memberCan } from '#contract/rights.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { paths } from '#web/paths.ts'

/** The domains that can take mailboxes, active and verified, and all of the workspace. */
export function useDomainChoices() {
  const domains = useApi(listDomains, {})
  const all: Domain[] = domains.data ?? []
  return {
    ...{ all, choices: all.filter(domainCan.takeMailboxes) },
    isPending: domains.isPending,
    isFailed: domains.isError && !domains.data,
    retry: domains.refetch,
  }
}

/** Returns the Unicode name of a domain; for members who may not list domains, the name as it is. */
export function useUnicodeName(): (name: string) => string {
  const role = useRole()
  const maySee = role !== undefined && memberCan(role, 'see-domains')
  const { data } = useApi(listDomains, {}, { enabled: maySee })
  return (name) => data?.find((domain) => domain.name === name)?.unicodeName ?? name
}

const linkStyle = 'text-accent-ink underline underline-offset-2'

/** Says why no domain can be selected, with a link; nothing when there is one. */
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
