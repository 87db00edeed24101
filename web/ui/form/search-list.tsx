import { Check, Search } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { cn } from '../cn.ts'
import type { SelectOption } from './select.tsx'

/** `alias`: other words by which it is found. */
export type SearchOption = SelectOption & { alias?: string }

type SearchListProps = {
  options: readonly SearchOption[]
  chosen: readonly string[]
  onChoose: (value: string) => void
  /** Accessible name of the list: 'Countries'. */
  label: string
  isMultiple?: boolean
  /** A further option for what was typed, at the end: to make what is not there. */
  optionFor?: (typed: string) => SearchOption | null
  /** Shown when there are no options. */
  emptyText?: string
  /** Called with the typed text; used when the server searches because there are too many options. */
  onSearch?: ((typed: string) => void) | undefined
  /** Classes of the list, for its maximum height. */
  className?: string
}

const PAGE = 8

/**
 * A list with a search above it, which keeps the focus: arrows walk the list from there. By hand, because cmdk finds the
 * option that the arrows are at by `aria-selected`, which has to say what is chosen (decision 052).
 */
export function SearchList(props: SearchListProps) {
  const { options, chosen, onChoose, label, isMultiple, emptyText, onSearch, className } = props
  const id = useId()
  const [search, setSearch] = useState('')
  const further = search.trim() === '' ? null : (props.optionFor?.(search.trim()) ?? null)
  const found = [...findOptions(options, search), ...(further ? [further] : [])]
  const { list, active, setActive, onKeyDown } = useActiveOption(
    found,
    () => indexOfOption(options, chosen[0]),
    onChoose,
  )
  return (
    <div className="grid">
      <SearchBox
        aria-label={`Search ${label.toLowerCase()}`}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value)
          setActive(0)
          onSearch?.(target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={isMultiple}
        tabIndex={-1}
        // A press in the list leaves the focus where one types.
        onMouseDown={(event) => event.preventDefault()}
        className={cn('overflow-y-auto pt-1.25', className)}
      >
        {found.map(({ value, label: text }, index) => (
          <Choice
            key={value}
            id={`${id}-${index}`}
            value={value}
            isChosen={chosen.includes(value)}
            isActive={index === active}
            isMultiple={isMultiple ?? false}
            onPoint={() => setActive(index)}
            onChoose={() => onChoose(value)}
          >
            {text}
          </Choice>
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-2.5 py-3 text-soft text-sm">
          {(options.length === 0 && emptyText) || 'Nothing found.'}
        </p>
      )}
    </div>
  )
}

/** The option that the keys are at: arrows move it and scroll it into view, Enter chooses it. */
function useActiveOption(
  found: readonly SearchOption[],
  start: () => number,
  onChoose: (value: string) => void,
) {
  const [active, setActive] = useState(start)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepOf(event.key, active, found.length)
    const option = found[active]
    if (to !== null) setActive(Math.max(0, Math.min(found.length - 1, to)))
    else if (event.key !== 'Enter') return
    else if (option) onChoose(option.value)
    event.preventDefault()
  }
  return { list, active, setActive, onKeyDown }
}

function SearchBox(props: ComponentProps<'input'>) {
  return (
    <div className="relative border-line border-b pb-1">
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft"
        aria-hidden
      />
      <input
        {...props}
        role="combobox"
        aria-expanded
        autoComplete="off"
        placeholder="Search"
        className="h-9 w-full rounded-md bg-transparent pr-2 pl-9 text-sm outline-none placeholder:text-soft max-md:h-11 max-md:text-base"
      />
    </div>
  )
}

/** Without diacritics and case: 'cote' finds Côte d’Ivoire. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Options that begin with the text come first: 'ger' finds Germany before Algeria. */
function findOptions(options: readonly SearchOption[], search: string): readonly SearchOption[] {
  const wanted = folded(search.trim())
  if (wanted === '') return options
  const begins = ({ label }: SearchOption) => folded(label).startsWith(wanted)
  const matches = options.filter(({ label, alias = '' }) =>
    folded(`${label}\n${alias}`).includes(wanted),
  )
  return [...matches.filter(begins), ...matches.filter((option) => !begins(option))]
}

const indexOfOption = (options: readonly SearchOption[], chosen: string | undefined): number =>
  Math.max(
    0,
    options.findIndex(({ value }) => value === chosen),
  )

/** The position that a key moves to; null for a key that does not move. */
function stepOf(key: string, active: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return active + 1
    case 'ArrowUp':
      return active - 1
    case 'PageDown':
      return active + PAGE
    case 'PageUp':
      return active - PAGE
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

type ChoiceProps = {
  id: string
  value: string
  isChosen: boolean
  isActive: boolean
  isMultiple: boolean
  onPoint: () => void
  onChoose: () => void
  children: ReactNode
}

function Choice(props: ChoiceProps) {
  const { id, value, isChosen, isActive, isMultiple, onPoint, onChoose, children } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the search above the list
    // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points here, the focus stays above
    <div
      id={id}
      role="option"
      data-value={value}
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={cn(
        // Seven of them fill a list of 243 px.
        'flex min-h-8.5 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-sm max-md:min-h-11',
        isActive && 'bg-hover',
      )}
    >
      {isMultiple && <Box isChosen={isChosen} />}
      <span className="truncate">{children}</span>
      {isChosen && !isMultiple && (
        <Check className="ml-auto size-4 shrink-0 text-accent-ink" aria-hidden />
      )}
    </div>
  )
}

function Box({ isChosen }: { isChosen: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-4 shrink-0 place-items-center rounded-[5px] border',
        isChosen ? 'border-accent bg-accent text-on-accent' : 'border-control bg-surface',
      )}
    >
      {isChosen && <Check className="size-3" strokeWidth={3.2} />}
    </span>
  )
}
