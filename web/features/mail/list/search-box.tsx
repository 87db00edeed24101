import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useState,
} from 'react'
import { MAX_SEARCH, searchOperators } from '#contract/mail/search.ts'
import { cn } from '#web/ui/cn.ts'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { RecentList } from './recent-list.tsx'
import type { RecentSearches } from './recent-searches.ts'

const WAIT_MS = 100

type SearchBoxProps = {
  value: string
  onSearch: (q: string) => void
  /** Called with the search when Enter is pressed. */
  onEnter: (q: string) => void
  recents: RecentSearches
  input: RefObject<HTMLInputElement | null>
}

/** Searches while the reader types, WAIT_MS after the last key, and at once on Enter. An empty box with the focus lists the last searches and the operators. */
export function SearchBox({ value, onSearch, onEnter, recents, input }: SearchBoxProps) {
  const [{ typed, urlSearch, pending }, setState] = useState(() => startState(value))
  const setTyped = (text: string) => setState((now) => ({ ...now, typed: text }))
  const [areHintsOpen, setAreHintsOpen] = useState(false)
  const hintsId = useId()
  if (urlSearch !== value) setState((now) => afterUrlChange(now, value))
  const isSubmitted = pending.at(-1) === typed.trim()
  useEffect(() => {
    if (typed.trim() === value || isSubmitted) return
    const timer = setTimeout(() => {
      setState(submit)
      onSearch(typed.trim())
    }, WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed, value, isSubmitted, onSearch])
  const searchNow = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return
    if (typed.trim() !== value && !isSubmitted) {
      setState(submit)
      onSearch(typed.trim())
    }
    onEnter(typed.trim())
  }
  const insert = (text: string) => {
    input.current?.focus()
    setTyped(text)
    setAreHintsOpen(false)
  }
  const insertOperator = (operator: string) => {
    const [name = ''] = operator.split(':')
    insert(operator.includes(':') && !/^(?:has|is):/.test(operator) ? `${name}:` : operator)
  }
  const closeHints = ({ currentTarget, relatedTarget }: FocusEvent) =>
    !currentTarget.contains(relatedTarget) && setAreHintsOpen(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees the focus leave the box and its hints
    <div className="min-w-0 flex-1 sm:relative" onBlur={closeHints}>
      <SearchInput
        ref={input}
        placeholder="Search mail"
        aria-describedby={areHintsOpen ? hintsId : undefined}
        maxLength={MAX_SEARCH}
        value={typed}
        onFocus={() => setAreHintsOpen(typed === '')}
        onKeyDown={searchNow}
        onChange={(event) => {
          setTyped(event.target.value)
          setAreHintsOpen(false)
        }}
      />
      {areHintsOpen && (
        <SearchHints id={hintsId} onAdd={insertOperator} recents={recents} onRecent={insert} />
      )}
    </div>
  )
}

/** State of the search box. The URL follows the typed text with a delay. Pure functions. */
export type SearchBoxState = {
  typed: string
  /** The search that the URL has. */
  urlSearch: string
  /** Searches on their way to the URL, oldest first. */
  pending: readonly string[]
}

export const startState = (value: string): SearchBoxState => ({
  typed: value,
  urlSearch: value,
  pending: [],
})

export const submit = (now: SearchBoxState): SearchBoxState => ({
  ...now,
  pending: [...now.pending, now.typed.trim()],
})

/** A search that this box sent to the URL keeps the text typed since; any other change of the URL replaces the text. */
export const afterUrlChange = (now: SearchBoxState, value: string): SearchBoxState => {
  const at = now.pending.indexOf(value)
  if (at < 0) return startState(value)
  return { ...now, urlSearch: value, pending: now.pending.slice(at + 1) }
}

type SearchHintsProps = {
  id: string
  onAdd: (operator: string) => void
  recents: RecentSearches
  onRecent: (q: string) => void
}

function SearchHints({ id, onAdd, recents, onRecent }: SearchHintsProps) {
  return (
    <div
      id={id}
      className="absolute top-full right-3 left-12 z-20 mt-1.5 sm:right-0 sm:left-auto sm:w-104 max-h-[calc(100dvh-5rem)] overflow-y-auto @3xl/mail:right-auto @3xl/mail:left-0 animate-appear rounded-xl border border-line bg-surface p-3 shadow-floating"
    >
      {recents.recent.length > 0 && <RecentList recents={recents} onChoose={onRecent} />}
      <p className="mb-2 text-soft text-xs">Words, or parts of names and subjects. Also:</p>
      <OperatorList onAdd={onAdd} />
    </div>
  )
}

/** The search operators, each a button that puts it into the box when `onAdd` is given. */
export function OperatorList({ onAdd }: { onAdd?: (operator: string) => void }) {
  const row = 'grid min-h-6 w-full grid-cols-[8.5rem_1fr] items-center gap-2 px-1 text-left'
  return (
    <ul className="grid gap-1 text-xs">
      {searchOperators.map(([operator, finds]) => {
        const text = (
          <>
            <code className="truncate font-mono text-accent-ink">{operator}</code>
            <span className="text-soft">{finds}</span>
          </>
        )
        return (
          <li key={operator}>
            {onAdd ? (
              // Pressing the button must not move the focus out of the box, which would close the list first.
              <button
                type="button"
                tabIndex={-1}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onAdd(operator)}
                className={cn(row, 'rounded-md hover:bg-hover')}
              >
                {text}
              </button>
            ) : (
              <span className={row}>{text}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Says what of the search was not understood. */
export function SearchNotes({ notes }: { notes: readonly string[] }) {
  return (
    <p
      role="status"
      className="wrap-anywhere border-line border-b bg-warn-wash px-4 py-1.5 text-warn text-xs"
    >
      {notes.join(' ')} It was searched for as words.
    </p>
  )
}

type SearchScopeProps = {
  folderName: string
  isOnly: boolean
  onChoose: (isOnly: boolean) => void
}

/** Chooses whether to search all folders but Trash and Junk, or only the open one. */
export function SearchScope({ folderName, isOnly, onChoose }: SearchScopeProps) {
  return (
    <fieldset className="flex items-center gap-1 border-line border-b px-3 py-1.5 text-xs">
      <legend className="sr-only">Search in</legend>
      {[false, true].map((isFolder) => (
        <button
          key={String(isFolder)}
          type="button"
          aria-pressed={isOnly === isFolder}
          onClick={() => onChoose(isFolder)}
          className={cn(
            'min-h-6 truncate rounded-full px-2.5',
            isOnly === isFolder
              ? 'bg-accent-wash font-medium text-accent-ink'
              : 'text-soft hover:bg-hover',
          )}
        >
          {isFolder ? folderName : 'All mail'}
        </button>
      ))}
      {!isOnly && <span className="truncate pl-1 text-soft">without Trash and Junk</span>}
    </fieldset>
  )
}
