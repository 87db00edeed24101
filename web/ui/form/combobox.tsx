import { Check, ChevronDown, Search } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useId, useMemo, useRef, useState } from 'react'
import { cn } from '../cn.ts'
import { Popover } from '../overlay/popover.tsx'
import { type ControlProps, inputStyle } from './field.tsx'
import type { SelectOption } from './select.tsx'

type ComboboxProps = Partial<ControlProps> & {
  value: string
  onValueChange: (value: string) => void
  onBlur?: () => void
  options: readonly SelectOption[]
  /** What the options are, read aloud: 'Countries'. */
  label: string
  placeholder?: string
  disabled?: boolean
  /** What is typed, where the options are too many to have all of them. */
  onSearch?: (typed: string) => void
  /** Of the button: takes the focus when the value is refused. */
  ref?: Ref<HTMLButtonElement>
}

/** One of a long list, found by typing a part of its name. An option must not have an empty value. */
export function Combobox({
  value,
  onValueChange,
  onBlur,
  options,
  label,
  placeholder,
  disabled,
  onSearch,
  ref,
  ...control
}: ComboboxProps) {
  const [isOpen, setIsOpen] = useState(false)
  const chosen = options.find((option) => option.value === value)
  const close = () => {
    setIsOpen(false)
    onSearch?.('')
    onBlur?.()
  }
  return (
    <Popover
      isModal
      label={label}
      isOpen={isOpen}
      onOpenChange={(next) => (next ? setIsOpen(true) : close())}
      className="w-(--radix-popover-trigger-width)"
      trigger={
        <button
          type="button"
          ref={ref}
          {...control}
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          disabled={disabled}
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
          <span className={cn('truncate', !chosen && 'text-soft')}>
            {chosen?.label ?? placeholder}
          </span>
          <ChevronDown className="size-4 shrink-0 text-soft" aria-hidden />
        </button>
      }
    >
      <Choices
        options={options}
        value={value}
        label={label}
        onSearch={onSearch}
        onChoose={(next) => {
          onValueChange(next)
          close()
        }}
      />
    </Popover>
  )
}

/** Without marks and case: 'cote' finds Côte d’Ivoire. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

type ChoicesProps = Pick<ComboboxProps, 'options' | 'value' | 'label'> & {
  onSearch: ComboboxProps['onSearch']
  onChoose: (value: string) => void
}

function Choices({ options, value, label, onSearch, onChoose }: ChoicesProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.value === value),
    ),
  )
  const list = useRef<HTMLDivElement>(null)
  const found = useMemo(() => {
    const wanted = folded(search.trim())
    const begins = ({ label: name }: SelectOption) => folded(name).startsWith(wanted)
    const matches = options.filter((option) => folded(option.label).includes(wanted))
    // 'ger' means Germany rather than Algeria.
    return [...matches.filter(begins), ...matches.filter((option) => !begins(option))]
  }, [options, search])
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 8,
      PageUp: active - 8,
    }[event.key]
    const chosen = found[active]
    if (to !== undefined) setActive(Math.max(0, Math.min(found.length - 1, to)))
    else if (event.key === 'Enter' && chosen) onChoose(chosen.value)
    else if (event.key !== 'Enter') return
    event.preventDefault()
  }
  return (
    <div className="grid">
      <ListSearch
        label={`Search ${label.toLowerCase()}`}
        listId={`${id}-list`}
        activeId={found.length > 0 ? `${id}-${active}` : undefined}
        value={search}
        onChange={(text) => {
          setSearch(text)
          setActive(0)
          onSearch?.(text)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        // The search keeps the focus: arrows walk the list from there.
        tabIndex={-1}
        className="max-h-60 overflow-y-auto pt-1"
      >
        {found.map((option, index) => (
          <Choice
            key={option.value}
            id={`${id}-${index}`}
            value={option.value}
            text={option.label}
            isChosen={option.value === value}
            isActive={index === active}
            onChoose={() => onChoose(option.value)}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-2.5 py-3 text-soft text-sm">
          Nothing found.
        </p>
      )}
    </div>
  )
}

type ListSearchProps = {
  label: string
  listId: string
  activeId: string | undefined
  value: string
  onChange: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function ListSearch({ label, listId, activeId, value, onChange, onKeyDown }: ListSearchProps) {
  return (
    <div className="relative border-line border-b pb-1">
      <Search
        className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-soft"
        aria-hidden
      />
      <input
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeId}
        autoComplete="off"
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
  value: string
  text: string
  isChosen: boolean
  isActive: boolean
  onChoose: () => void
}

function Choice({ id, value, text, isChosen, isActive, onChoose }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the search above the list
    // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points here, the focus stays above
    <div
      id={id}
      role="option"
      data-value={value}
      aria-selected={isChosen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cn(
        'flex cursor-default select-none items-center justify-between gap-2.5 rounded-md px-2.5 py-1.5 text-sm max-md:min-h-11 hover:bg-hover',
        isActive && 'bg-hover',
      )}
    >
      <span className="truncate">{text}</span>
      {isChosen && <Check className="size-4 shrink-0 text-accent-ink" aria-hidden />}
    </div>
  )
}
