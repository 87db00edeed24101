import { basicPurposes, recordTitles } from '#contract/domains.ts'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import type { Sort } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import {
  DNS_STATES,
  type DomainFilters,
  type DomainRow,
  MAIL,
  ORDERS,
  OTHER_PROVIDER,
  STATES,
} from './domain-rows.ts'

type DomainFiltersBarProps = {
  rows: readonly DomainRow[]
  filters: DomainFilters
  onChange: (changes: Partial<DomainFilters>) => void
  isFiltered: boolean
  onClear: () => void
  sort: Sort | null
  onSortChange: (sort: Sort | null) => void
}

/** How many domains are in each state, and the filters. */
export function DomainFiltersBar(props: DomainFiltersBarProps) {
  const { rows, filters, onChange, isFiltered, onClear, sort, onSortChange } = props
  const chips = (states: typeof STATES) =>
    Object.entries(states).flatMap(([state, { label, has, title, onlyWith }]) => {
      const count = rows.filter(has).length
      const isOn = filters.state === state
      if (onlyWith && !isOn && !rows.some(onlyWith)) return []
      const onSelect = () => onChange({ state: isOn ? '' : state })
      return <StateChip key={state} {...{ label, count, isOn, onSelect, title }} />
    })
  return (
    <section aria-label="Filters" className="grid gap-2 border-line border-b px-5 py-2.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <StateChip
          label="All"
          count={rows.length}
          isOn={filters.state === ''}
          onSelect={() => onChange({ state: '' })}
        />
        {chips(STATES)}
        <span className="ml-2 text-soft text-xs @max-xl:ml-0">Required records:</span>
        {chips(DNS_STATES)}
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
        <Selects {...{ rows, filters, onChange }} />
        <OrderSelect sort={sort} onSortChange={onSortChange} />
        {isFiltered && (
          <Button variant="quiet" size="small" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </section>
  )
}

type SelectsProps = Pick<DomainFiltersBarProps, 'rows' | 'filters' | 'onChange'>

function Selects({ rows, filters, onChange }: SelectsProps) {
  const providers = [...new Set(rows.map(({ health }) => health?.provider ?? OTHER_PROVIDER))]
  return (
    <>
      <Select
        aria-label="Record that fails"
        className="h-8 w-36 text-xs max-sm:w-full"
        value={filters.record || ANY}
        onValueChange={(record) => onChange({ record: record === ANY ? '' : record })}
        options={[
          { value: ANY, label: 'Any record' },
          ...basicPurposes.map((value) => ({ value, label: `${recordTitles[value]} fails` })),
        ]}
      />
      <Select
        aria-label="Where mail goes"
        className="h-8 w-40 text-xs max-sm:w-full"
        value={filters.mail || ANY}
        onValueChange={(mail) => onChange({ mail: mail === ANY ? '' : mail })}
        options={[
          { value: ANY, label: 'Any mail host' },
          ...Object.entries(MAIL).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      <Select
        aria-label="DNS provider"
        className="h-8 w-40 text-xs max-sm:w-full"
        value={filters.provider || ANY}
        onValueChange={(provider) => onChange({ provider: provider === ANY ? '' : provider })}
        options={[
          { value: ANY, label: 'Any DNS provider' },
          ...providers.toSorted().map((value) => ({
            value,
            label: value === OTHER_PROVIDER ? 'Other or not known' : value,
          })),
        ]}
      />
    </>
  )
}

const NEWEST = 'Newest first'

function OrderSelect({ sort, onSortChange }: Pick<DomainFiltersBarProps, 'sort' | 'onSortChange'>) {
  const order = ORDERS.find(
    ({ id, isDescending }) => id === sort?.id && isDescending === sort.isDescending,
  )
  return (
    <Select
      aria-label="Order"
      className="h-8 w-44 text-xs max-sm:w-full"
      // An order of a column that is not offered here is shown at the column.
      value={order?.label ?? (sort === null ? NEWEST : OTHER_ORDER)}
      onValueChange={(label) => onSortChange(ORDERS.find((each) => each.label === label) ?? null)}
      options={[
        NEWEST,
        ...ORDERS.map(({ label }) => label),
        ...(order === undefined && sort !== null ? [OTHER_ORDER] : []),
      ].map((label) => ({ value: label, label }))}
    />
  )
}

const OTHER_ORDER = 'By a column'
const ANY = 'any'

type StateChipProps = {
  label: string
  count: number
  isOn: boolean
  onSelect: () => void
  title?: string
}

function StateChip({ label, count, isOn, onSelect, title }: StateChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title={title}
      onClick={onSelect}
      className={cn(
        'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-xs tabular-nums transition-colors',
        isOn
          ? 'border-accent bg-accent-wash font-medium text-accent-ink'
          : 'border-line text-soft hover:bg-hover hover:text-ink',
      )}
    >
      {label}
      <span className="font-medium">{formatCount(count)}</span>
    </button>
  )
}
