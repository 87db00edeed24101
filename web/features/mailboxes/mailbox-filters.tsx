import { useListFilters } from '#web/lib/list-filters.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import type { MailboxQuery } from './use-mailboxes.ts'

const ANY = 'any'

const ACCESS = {
  none: 'No access yet',
  link: 'Link not used yet',
  expired: 'Link expired',
  readers: 'Read by others',
  holder: 'With a holder',
} as const satisfies Record<NonNullable<MailboxQuery['access']>, string>

const STATUS = {
  active: 'Active',
  inactive: 'Inactive',
  suspended: 'Suspended',
} as const satisfies Record<NonNullable<MailboxQuery['status']>, string>

const isKeyOf = <T extends object>(names: T, name: string): name is keyof T & string =>
  Object.hasOwn(names, name)

/** The filters in the URL; unknown values count as none. */
export function useMailboxFilters() {
  const list = useListFilters(['access', 'status'])
  const { access, status } = list.filters
  const narrowed: MailboxQuery = {
    ...(isKeyOf(ACCESS, access) && { access }),
    ...(isKeyOf(STATUS, status) && { status }),
  }
  return { ...list, narrowed }
}

export function MailboxFiltersBar({ list }: { list: ReturnType<typeof useMailboxFilters> }) {
  const { narrowed, setFilters, isFiltered, clear } = list
  return (
    <section
      aria-label="Filters"
      className="flex flex-wrap items-center gap-2 border-line border-b px-5 py-2.5"
    >
      <Select
        aria-label="Access"
        className="h-8 w-40 text-xs"
        value={narrowed.access ?? ANY}
        onValueChange={(access) => setFilters({ access: access === ANY ? '' : access })}
        options={[{ value: ANY, label: 'Any access' }, ...choicesOf(ACCESS)]}
      />
      <Select
        aria-label="State"
        className="h-8 w-32 text-xs"
        value={narrowed.status ?? ANY}
        onValueChange={(status) => setFilters({ status: status === ANY ? '' : status })}
        options={[{ value: ANY, label: 'Any state' }, ...choicesOf(STATUS)]}
      />
      {isFiltered && (
        <Button variant="quiet" size="small" onClick={clear}>
          Clear filters
        </Button>
      )}
    </section>
  )
}

const choicesOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))
