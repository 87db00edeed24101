/** The domains of the list with what is known of each, and the filters over them. Pure but for the hook. */
import { useMemo } from 'react'
import { type Domain, listDomains } from '#contract/domains.ts'
import { type DomainHealth, listDomainHealth } from '#contract/many-domains.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useIsRoleKnown } from '#web/lib/api/use-can.ts'

export type DomainRow = Domain & {
  /** null: not loaded. */
  health: DomainHealth | null
}
export type HealthRecord = DomainHealth['records'][number]

export function useDomainRows() {
  const enabled = useIsRoleKnown()
  const domains = useApi(listDomains, {}, { enabled })
  const health = useApi(listDomainHealth, {}, { enabled })
  const rows = useMemo(() => {
    const byId = new Map(health.data?.map((each) => [each._id, each]))
    return domains.data?.map(
      (domain): DomainRow => ({ ...domain, health: byId.get(domain._id) ?? null }),
    )
  }, [domains.data, health.data])
  return { domains, rows }
}

/** Records that stand in the way of an active domain, or are wrong. */
export const failingOf = ({ health }: DomainRow): HealthRecord[] =>
  health?.records.filter(
    ({ required, state }) =>
      (required && state !== 'verified') || state === 'different' || state === 'conflict',
  ) ?? []

export const needsWork = (row: DomainRow): boolean =>
  row.status !== 'active' || failingOf(row).length > 0

export const STATES = {
  work: { label: 'Need work', has: needsWork },
  failed: { label: 'Failed', has: (row) => row.dnsStatus === 'Failed' },
  pending: { label: 'Pending', has: (row) => row.dnsStatus === 'Pending' },
  verified: { label: 'Verified', has: (row) => row.dnsStatus === 'Verified' },
} as const satisfies Record<string, { label: string; has: (row: DomainRow) => boolean }>

export type DomainFilters = { state: string; record: string; provider: string }

/** The provider of domains whose DNS is run by one that is not recognised. */
export const OTHER_PROVIDER = 'other'

export const matchesFilters = (row: DomainRow, { state, record, provider }: DomainFilters) => {
  const group = Object.entries(STATES).find(([name]) => name === state)
  return (
    (group === undefined || group[1].has(row)) &&
    (record === '' || failingOf(row).some(({ purpose }) => purpose === record)) &&
    (provider === '' || (row.health?.provider ?? OTHER_PROVIDER) === provider)
  )
}
