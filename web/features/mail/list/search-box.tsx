import { type RefObject, useEffect, useId, useState } from 'react'
import { MAX_SEARCH, searchOperators } from '#contract/mail/search.ts'
import { cn } from '#web/ui/cn.ts'
import { SearchInput } from '#web/ui/form/search-input.tsx'

const WAIT_MS = 250

type SearchBoxProps = {
  value: string
  onSearch: (q: string) => void
  input: RefObject<HTMLInputElement | null>
}

/** Searches as one types, a moment after the last letter. Entered empty, it says what can be asked for. */
export function SearchBox({ value, onSearch, input }: SearchBoxProps) {
  const [{ typed, shown, asked }, setState] = useState(() => startWith(value))
  const setTyped = (text: string) => setState((now) => ({ ...now, typed: text }))
  const [isAsking, setIsAsking] = useState(false)
  const hintsId = useId()
  if (shown !== value) setState((now) => afterAddress(now, value))
  const isAsked = asked.at(-1) === typed.trim()
  useEffect(() => {
    if (typed.trim() === value || isAsked) return
    const timer = setTimeout(() => {
      setState(ask)
      onSearch(typed.trim())
    }, WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed, value, isAsked, onSearch])
  const add = (operator: string) => {
    const [name = ''] = operator.split(':')
    setTyped(operator.includes(':') && !/^(?:has|is):/.test(operator) ? `${name}:` : operator)
    setIsAsking(false)
    input.current?.focus()
  }
  return (
    <div className="min-w-0 flex-1 sm:relative">
      <SearchInput
        ref={input}
        placeholder="Search mail"
        aria-describedby={isAsking ? hintsId : undefined}
        maxLength={MAX_SEARCH}
        value={typed}
        onFocus={() => setIsAsking(typed === '')}
        onBlur={() => setIsAsking(false)}
        onChange={(event) => {
          setTyped(event.target.value)
          setIsAsking(false)
        }}
      />
      {isAsking && <SearchHints id={hintsId} onAdd={add} />}
    </div>
  )
}

/** What stands in the search box, while the address that follows it is always a little behind. Pure. */
export type TypedSearch = {
  typed: string
  /** What the address says. */
  shown: string
  /** On their way to the address, oldest first. */
  asked: readonly string[]
}

export const startWith = (value: string): TypedSearch => ({ typed: value, shown: value, asked: [] })

export const ask = (now: TypedSearch): TypedSearch => ({
  ...now,
  asked: [...now.asked, now.typed.trim()],
})

/** What was asked for here leaves what was typed since; back, a cleared search and the like take its place. */
export const afterAddress = (now: TypedSearch, value: string): TypedSearch => {
  const at = now.asked.indexOf(value)
  if (at < 0) return startWith(value)
  return { ...now, shown: value, asked: now.asked.slice(at + 1) }
}

function SearchHints({ id, onAdd }: { id: string; onAdd: (operator: string) => void }) {
  return (
    <div
      id={id}
      className="absolute top-full right-3 left-12 z-20 mt-1.5 sm:right-0 sm:left-auto sm:w-104 @3xl/mail:right-auto @3xl/mail:left-0 animate-appear rounded-xl border border-line bg-surface p-3 shadow-floating"
    >
      <p className="mb-2 text-soft text-xs">Words, or parts of names and subjects. Also:</p>
      <ul className="grid gap-1 text-xs">
        {searchOperators.map(([operator, finds]) => (
          <li key={operator}>
            {/* Pressed, it must not take the focus from the box, which would close the hints first. */}
            <button
              type="button"
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onAdd(operator)}
              className="grid min-h-6 w-full grid-cols-[8.5rem_1fr] items-center gap-2 rounded-md px-1 text-left hover:bg-hover"
            >
              <code className="truncate font-mono text-accent-ink">{operator}</code>
              <span className="text-soft">{finds}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

type SearchScopeProps = {
  folderName: string
  isOnly: boolean
  onChoose: (isOnly: boolean) => void
}

/** Where is searched: in all folders but Trash and Junk, or in the one that is open. */
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
    </fieldset>
  )
}
