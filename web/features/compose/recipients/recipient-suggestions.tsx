/** Whom the writer may mean by the letters typed: below a recipient field (ARIA editable combobox). */
import { keepPreviousData } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { suggestRecipients } from '#contract/mail/writing.ts'
import type { Person } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useDebounced } from '#web/lib/time/use-now.ts'
import { cn } from '#web/ui/cn.ts'
import { addressIn, isRecipient, safeDisplayName } from './people.ts'

/** The suggestions below the field and their keys. */
export function useSuggestionList(
  mailboxId: string,
  typed: string,
  entries: readonly string[],
  onChoose: (person: Person) => void,
) {
  const id = useId()
  const people = useSuggestions(mailboxId, typed, entries)
  /** The typed text for which the list was closed. */
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const [active, setActive] = useState({ typed: '', index: 0 })
  const isOpen = hasFocus && people.length > 0 && closedAt !== typed
  // Other typed text selects the first suggestion again.
  const index = active.typed === typed ? Math.min(active.index, people.length - 1) : 0
  const choose = (person: Person | undefined) => person && onChoose(person)
  /** Enter and Tab leave a complete address as typed, unless the writer moved to a suggestion. */
  const isSelectKey = ({ key, shiftKey }: KeyboardEvent) =>
    (key === 'Enter' || (key === 'Tab' && !shiftKey)) &&
    (active.typed === typed || !isRecipient(typed))
  /** Returns true when the list handled the key. */
  const press = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return false
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) setActive({ typed, index: (index + step + people.length) % people.length })
    else if (isSelectKey(event)) choose(people[index])
    else if (event.key === 'Escape') setClosedAt(typed)
    else return false
    event.preventDefault()
    return true
  }
  const aria = {
    role: 'combobox',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
    'aria-autocomplete': 'list' as const,
    'aria-activedescendant': isOpen ? `${id}-${index}` : undefined,
  }
  const list = isOpen && <SuggestionList id={id} people={people} active={index} onChoose={choose} />
  return { press, aria, list, open: () => setHasFocus(true), close: () => setHasFocus(false) }
}

type SuggestionListProps = {
  id: string
  people: readonly Person[]
  active: number
  onChoose: (person: Person) => void
}

/** Below a recipient field; the field keeps the focus and names the active option. */
export function SuggestionList({ id, people, active, onChoose }: SuggestionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="People"
      tabIndex={-1}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-xl border border-line bg-surface p-1 shadow-floating"
    >
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={person.address}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
          className={cn(
            'flex min-h-9 cursor-pointer flex-wrap items-baseline gap-x-2 rounded-lg px-2.5 py-1.5 text-sm',
            index === active ? 'bg-hover' : 'hover:bg-hover',
          )}
        >
          {safeDisplayName(person) !== '' && (
            <bdi className="min-w-0 truncate font-medium">{safeDisplayName(person)}</bdi>
          )}
          <bdi className="wrap-anywhere min-w-0 text-soft">{person.address}</bdi>
        </div>
      ))}
    </div>
  )
}

const PAUSE_MS = 120
const MAX_TYPED = 100
const none: readonly Person[] = []

/**
 * Suggests people who match the typed letters; requested PAUSE_MS after the last letter.
 * `entries`: recipients already in the field, which are left out. Without letters there are no suggestions.
 */
export function useSuggestions(
  mailboxId: string,
  typed: string,
  entries: readonly string[],
): readonly Person[] {
  const query = useDebounced(typed.trim().slice(0, MAX_TYPED), PAUSE_MS)
  const hasQuery = query !== '' && !/[<>"]/.test(query)
  const found = useApi(
    suggestRecipients,
    { params: { id: mailboxId }, query: { q: query } },
    { enabled: hasQuery, placeholderData: keepPreviousData, retry: false },
  ).data
  if (!hasQuery || typed.trim() === '' || !found) return none
  const known = new Set(entries.map((entry) => addressIn(entry).toLowerCase()))
  return found.filter(({ address }) => !known.has(address))
}
