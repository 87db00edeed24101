import { Check, ChevronDown, Search } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { type ControlProps, inputStyle } from '#web/ui/form/field.tsx'
import { Popover } from '#web/ui/overlay/popover.tsx'

type DomainMultiSelectProps = ControlProps & {
  domains: readonly Domain[]
  selected: readonly string[]
  onChange: (selected: string[]) => void
  onClose: () => void
  isLoading: boolean
  /** Of the button: takes the focus when the choice is refused. */
  ref?: Ref<HTMLButtonElement>
}

/** Chooses several domains by name: a list with a search above it, closed by a click beside it. */
export function DomainMultiSelect(props: DomainMultiSelectProps) {
  const { domains, selected, onChange, onClose, isLoading, ref, ...control } = props
  const [isOpen, setIsOpen] = useState(false)
  const text = isLoading
    ? 'Loading...'
    : selected.length > 0
      ? `Selected: ${selected.length}`
      : 'Select domains...'
  return (
    <Popover
      isModal
      label="Domains"
      isOpen={isOpen}
      onOpenChange={(next) => {
        setIsOpen(next)
        if (!next) onClose()
      }}
      trigger={
        <button
          type="button"
          ref={ref}
          {...control}
          aria-haspopup="listbox"
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
            event.preventDefault()
            setIsOpen(true)
          }}
          className={cn(
            inputStyle,
            'flex h-10 max-md:h-11 items-center justify-between gap-2 text-left',
          )}
        >
          <span className={cn('truncate', selected.length === 0 && 'text-soft')}>{text}</span>
          <ChevronDown className="size-4 shrink-0 text-soft" aria-hidden />
        </button>
      }
    >
      <Choices domains={domains} selected={selected} onChange={onChange} />
    </Popover>
  )
}

type ChoicesProps = Pick<DomainMultiSelectProps, 'domains' | 'selected' | 'onChange'>

function Choices({ domains, selected, onChange }: ChoicesProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const wanted = search.trim().toLowerCase()
  const found = domains.filter(
    ({ name, unicodeName }) => name.includes(wanted) || unicodeName.includes(wanted),
  )
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const toggle = (name: string) =>
    onChange(
      selected.includes(name) ? selected.filter((other) => other !== name) : [...selected, name],
    )
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: found.length - 1 }[
      event.key
    ]
    const chosen = found[active]
    if (to !== undefined) setActive(Math.max(0, Math.min(found.length - 1, to)))
    else if (event.key === 'Enter' && chosen) toggle(chosen.name)
    else return
    event.preventDefault()
  }
  return (
    <div className="grid">
      <ListSearch
        listId={`${id}-list`}
        activeId={found.length > 0 ? `${id}-${active}` : undefined}
        value={search}
        onChange={(text) => {
          setSearch(text)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Domains"
        aria-multiselectable
        // The search keeps the focus: arrows walk the list from there.
        tabIndex={-1}
        className="max-h-[243px] overflow-y-auto pt-1.25"
      >
        {found.map((domain, index) => (
          <Choice
            key={domain._id}
            id={`${id}-${index}`}
            domain={domain}
            isSelected={selected.includes(domain.name)}
            isActive={index === active}
            onToggle={() => {
              setActive(index)
              toggle(domain.name)
            }}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-2.5 py-3 text-soft text-sm">
          {domains.length === 0 ? 'No domain is active yet.' : 'Nothing found.'}
        </p>
      )}
    </div>
  )
}

type ListSearchProps = {
  listId: string
  activeId: string | undefined
  value: string
  onChange: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function ListSearch({ listId, activeId, value, onChange, onKeyDown }: ListSearchProps) {
  return (
    <div className="relative border-line border-b pb-1">
      <Search
        className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-soft"
        aria-hidden
      />
      <input
        role="combobox"
        aria-label="Search domains"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeId}
        placeholder="Search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-9 w-full rounded-md bg-transparent pr-2 pl-9 text-sm outline-none placeholder:text-soft max-md:text-base"
      />
    </div>
  )
}

type ChoiceProps = {
  id: string
  domain: Domain
  isSelected: boolean
  isActive: boolean
  onToggle: () => void
}

function Choice({ id, domain, isSelected, isActive, onToggle }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the search above the list
    // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points here, the focus stays above
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
      className={cn(
        // Seven of them fill the list.
        'flex h-8.5 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-hover',
        isActive && 'bg-hover',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'grid size-4 shrink-0 place-items-center rounded-[5px] border',
          isSelected ? 'border-accent bg-accent text-on-accent' : 'border-control bg-surface',
        )}
      >
        {isSelected && <Check className="size-3" strokeWidth={3.2} />}
      </span>
      <span className="truncate">{domain.unicodeName}</span>
    </div>
  )
}
