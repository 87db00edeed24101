import { basicPurposes, recordTitles } from '#contract/domains.ts'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { type DomainFilters, type DomainRow, OTHER_PROVIDER, STATES } from './domain-rows.ts'

type DomainFiltersBarProps = {
  rows: readonly DomainRow[]
  filters: DomainFilters
  onChange: (changes: Partial<DomainFilters>) => void
  isFiltered: boolean
  onClear: () => void
}

/** How many domains are in each state, and the filters. */
export function DomainFiltersBar(props: DomainFiltersBarProps) {
  const { rows, filters, onChange, isFiltered, onClear } = props
  const providers = [...new Set(rows.map(({ health }) => health?.provider ?? OTHER_PROVIDER))]
  return (
    <section
      aria-label="Filters"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-5 py-2.5"
    >
      <div className="flex flex-wrap gap-1.5">
        <StateChip
          label="All"
          count={rows.length}
          isOn={filters.state === ''}
          onSelect={() => onChange({ state: '' })}
        />
        {Object.entries(STATES).map(([state, { label, has }]) => (
          <StateChip
            key={state}
            label={label}
            count={rows.filter(has).length}
            isOn={filters.state === state}
            onSelect={() => onChange({ state: filters.state === state ? '' : state })}
          />
        ))}
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-2 @max-3xl:ml-0">
        {isFiltered && (
          <Button variant="quiet" size="small" onClick={onClear}>
            Clear filters
          </Button>
        )}
        <Select
          aria-label="Record that fails"
          className="h-8 w-36 text-xs"
          value={filters.record || ANY}
          onValueChange={(record) => onChange({ record: record === ANY ? '' : record })}
          options={[
            { value: ANY, label: 'Any record' },
            ...basicPurposes.map((value) => ({ value, label: `${recordTitles[value]} fails` })),
          ]}
        />
        <Select
          aria-label="DNS provider"
          className="h-8 w-40 text-xs"
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
      </div>
    </section>
  )
}

const ANY = 'any'

type StateChipProps = { label: string; count: number; isOn: boolean; onSelect: () => void }

function StateChip({ label, count, isOn, onSelect }: StateChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
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
