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

/** Records that the domain needs and that are not right: the server says which (decision 078). */
export const failingOf = ({ health }: DomainRow): HealthRecord[] =>
  health?.records.filter(({ isToDo }) => isToDo) ?? []

/** Of those that could be looked up. */
export const wrongOf = (row: DomainRow): HealthRecord[] =>
  failingOf(row).filter(({ uncheckedSince }) => uncheckedSince === null)

/**
 * Where the mail of a domain is received that needs no work: another server, or none, which is right as long as nobody has a
 * mailbox here. null: here, not known, or part of what needs work.
 */
export const receivingOf = ({ health, status, needsWork }: DomainRow): string | null => {
  if (!health || health.isMailOurs || status !== 'active' || needsWork) return null
  return health.mailTo === null
    ? 'No server receives its mail.'
    : `Receiving is at ${health.mailTo}.`
}

type State = {
  label: string
  has: (row: DomainRow) => boolean
  /** What is counted. */
  title: string
  /** Offered only when there is such a domain. */
  onlyWith?: (row: DomainRow) => boolean
}

/** Those of the second kind tell the three states of DNS apart; the first ones say what there is to do. */
export const STATES: Record<string, State> = {
  work: {
    label: 'Need work',
    has: (row) => row.needsWork,
    title: 'A record that the domain needs is not right or could not be checked',
  },
  unfinished: {
    label: 'Need work or receive elsewhere',
    has: (row) => row.needsWork || receivingOf(row) !== null,
    title: 'Also those without mailboxes whose mail goes to another provider, or nowhere',
    onlyWith: (row) => receivingOf(row) !== null,
  },
  unchecked: {
    label: 'Could not be checked',
    has: (row) => row.uncheckedSince !== null,
    title: 'Their name servers gave no answer, so what is shown is older',
    onlyWith: (row) => row.uncheckedSince !== null,
  },
}

export const DNS_STATES: Record<string, State> = {
  failed: {
    label: 'Failed',
    has: (row) => row.dnsStatus === 'Failed',
    title: 'A required record is wrong',
  },
  pending: {
    label: 'Pending',
    has: (row) => row.dnsStatus === 'Pending',
    title: 'A required record is missing',
  },
  verified: {
    label: 'Verified',
    has: (row) => row.dnsStatus === 'Verified',
    title: 'Every required record is right; MX is none of them',
  },
}

export const MAIL: Record<string, { label: string; has: (row: DomainRow) => boolean }> = {
  here: { label: 'Mail comes here', has: ({ health }) => health?.isMailOurs === true },
  elsewhere: {
    label: 'Mail goes elsewhere',
    has: ({ health }) => health?.isMailOurs === false && health.mailTo !== null,
  },
  nowhere: {
    label: 'No mail host',
    has: ({ health }) => health?.isMailOurs === false && health.mailTo === null,
  },
}

export type DomainFilters = { state: string; record: string; provider: string; mail: string }

/** The provider of domains whose DNS is run by one that is not recognised. */
export const OTHER_PROVIDER = 'other'

export const matchesFilters = (row: DomainRow, filters: DomainFilters): boolean => {
  const { state, record, provider, mail } = filters
  const group = STATES[state] ?? DNS_STATES[state]
  return (
    (group === undefined || group.has(row)) &&
    (record === '' || failingOf(row).some(({ purpose }) => purpose === record)) &&
    (provider === '' || (row.health?.provider ?? OTHER_PROVIDER) === provider) &&
    (MAIL[mail] === undefined || MAIL[mail].has(row))
  )
}

/** Orders that the list offers beside its columns: some of them are hidden in a narrow place. */
export const ORDERS = [
  { label: 'Name', id: 'name', isDescending: false },
  { label: 'Fewest records right', id: 'records', isDescending: false },
  { label: 'Most mailboxes', id: 'mailboxes', isDescending: true },
  { label: 'Last change first', id: 'changed', isDescending: true },
] as const
