import { keepPreviousData } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { suggestRecipients } from '#contract/mail/writing.ts'
import type { Person } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useDebounced } from '#web/lib/time/use-now.ts'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/form/field.tsx'
import {
  addressIn,
  formatPerson,
  isRecipient,
  safeDisplayName,
  splitRecipients,
  withoutRepeats,
} from './people.ts'

type RecipientsFieldProps = {
  mailboxId: string
  label: string
  entries: readonly string[]
  /** Text in the box that is not an entry yet. */
  typed: string
  onChange: (entries: string[], typed: string) => void
  error: string | undefined
  required?: boolean
  /** true: the box takes the focus when it appears. */
  isFocused?: boolean
  aside?: React.ReactNode
}

/**
 * Addresses as chips. Typed text becomes a chip at a comma, on Enter, or when the field loses the focus. Matching people are
 * suggested below (ARIA editable combobox): arrows move, Enter and Tab select, Escape closes the list.
 */
export function RecipientsField(props: RecipientsFieldProps) {
  const { mailboxId, label, entries, typed, onChange, error } = props
  const { required = false, isFocused = false, aside } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])
  const addEntries = (text: string) =>
    onChange(withoutRepeats([...entries, ...splitRecipients(text)]), '')
  const suggestions = useSuggestionList(mailboxId, typed, entries, (person) =>
    onChange([...entries, formatPerson(person)], ''),
  )
  const remove = (index: number) => {
    onChange(entries.toSpliced(index, 1), typed)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || suggestions.press(event)) return
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && typed.trim() !== '') {
      event.preventDefault()
      addEntries(typed)
    } else if (event.key === 'Backspace' && typed === '' && entries.length > 0)
      remove(entries.length - 1)
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!/[,;\n]/.test(text.trim())) return
    event.preventDefault()
    addEntries(typed + text)
  }
  return (
    <Field label={label} error={error} required={required} aside={aside}>
      {(control) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the chips goes into the box, as everywhere in a field
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box itself takes the keys
        <div
          onClick={() => input.current?.focus()}
          className={cn(
            'relative flex min-h-10 cursor-text flex-wrap items-center gap-1 rounded-control border border-control bg-surface px-1.5 py-1 focus-within:border-accent-ink focus-within:ring-3 focus-within:ring-accent/25',
            error && 'border-bad focus-within:ring-bad/25',
          )}
        >
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same address may stand twice
            <Chip key={index} entry={entry} onRemove={() => remove(index)} />
          ))}
          <input
            {...control}
            {...suggestions.aria}
            ref={input}
            value={typed}
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onKeyDown={onKeyDown}
            onPaste={paste}
            onChange={({ target }) =>
              /[,;]\s*$/.test(target.value) && splitRecipients(target.value).length > 0
                ? addEntries(target.value)
                : onChange([...entries], target.value)
            }
            onFocus={suggestions.open}
            onBlur={() => {
              suggestions.close()
              if (typed.trim() !== '') addEntries(typed)
            }}
            className="h-7 min-w-40 flex-1 bg-transparent px-1.5 text-sm outline-none max-md:text-base"
          />
          {suggestions.list}
        </div>
      )}
    </Field>
  )
}

/** The suggestions below the field and their keys. */
function useSuggestionList(
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

function Chip({ entry, onRemove }: { entry: string; onRemove: () => void }) {
  const isValid = isRecipient(entry)
  return (
    <span
      className={cn(
        'flex h-7 min-w-0 max-w-full items-center gap-0.5 rounded-md pr-0.5 pl-2 text-sm',
        isValid ? 'bg-hover' : 'bg-bad-wash text-bad',
      )}
    >
      <span dir="auto" className="truncate">
        {entry}
      </span>
      <button
        type="button"
        aria-label={`Remove ${entry}`}
        onClick={(event) => {
          event.stopPropagation()
          onRemove()
        }}
        className="grid size-6 shrink-0 place-items-center rounded text-soft hover:text-ink"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </span>
  )
}
