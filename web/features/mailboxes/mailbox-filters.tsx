import { formatCount } from '#web/lib/format.ts'
import { useListFilters } from '#web/lib/list-filters.ts'
import type { Sort } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { MAILBOX_ORDERS } from './mailbox-columns.tsx'
import type { MailboxQuery } from './use-mailboxes.ts'

const ANY = 'any'
const NEWEST = 'Newest first'

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

export const MAILBOX_FILTERS = ['access', 'status'] as const

/** The filters in the URL. */
export function useMailboxFilters() {
  const list = useListFilters(MAILBOX_FILTERS)
  return { ...list, narrowed: narrowingOf(list.filters) }
}

/** Unknown values count as none. */
const narrowingOf = ({ access, status }: { access: string; status: string }): MailboxQuery => ({
  ...(isKeyOf(ACCESS, access) && { access }),
  ...(isKeyOf(STATUS, status) && { status }),
})

/** What the list is narrowed to at this place of the URL. */
export const narrowingAt = (place: URLSearchParams): MailboxQuery => {
  const q = place.get('q')
  return {
    ...(q && { q }),
    ...narrowingOf({ access: place.get('access') ?? '', status: place.get('status') ?? '' }),
  }
}

type MailboxFiltersBarProps = {
  list: ReturnType<typeof useMailboxFilters>
  sort: Sort | null
  onSortChange: (sort: Sort | null) => void
  /** Mailboxes in the list; undefined: not known yet. */
  count: number | undefined
}

export function MailboxFiltersBar({ list, sort, onSortChange, count }: MailboxFiltersBarProps) {
  const { narrowed, setFilters, isFiltered, clear } = list
  const order = MAILBOX_ORDERS.find(
    ({ id, isDescending }) => id === sort?.id && isDescending === sort.isDescending,
  )
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
      <Select
        aria-label="Order"
        className="h-8 w-48 text-xs"
        value={order?.label ?? NEWEST}
        onValueChange={(label) =>
          onSortChange(MAILBOX_ORDERS.find((each) => each.label === label) ?? null)
        }
        options={[NEWEST, ...MAILBOX_ORDERS.map(({ label }) => label)].map((label) => ({
          ...{ value: label, label },
        }))}
      />
      {isFiltered && (
        <Button variant="quiet" size="small" onClick={clear}>
          Clear filters
        </Button>
      )}
      <p role="status" className="ml-auto text-soft text-xs tabular-nums">
        {count !== undefined && `${formatCount(count)} ${count === 1 ? 'mailbox' : 'mailboxes'}`}
      </p>
    </section>
  )
}

const choicesOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))
