import { X } from 'lucide-react'
import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { meantAddress } from './meant-address.ts'
import { formatPerson, isRecipient, splitRecipients, withoutRepeats } from './people.ts'
import { useSuggestionList } from './recipient-suggestions.tsx'

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

/** From this many on they fold to one line while the focus is elsewhere. */
const MANY = 6

/**
 * Addresses as chips. Typed text becomes a chip at a comma, on Enter, or when the field loses the focus. Matching people are
 * suggested below: arrows move, Enter and Tab select, Escape closes the list. Many fold to one line.
 */
export function RecipientsField(props: RecipientsFieldProps) {
  const { label, entries, typed, onChange, error } = props
  const { required = false, isFocused = false, aside } = props
  const input = useRef<HTMLInputElement>(null)
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])
  const remove = (index: number) => {
    onChange(entries.toSpliced(index, 1), typed)
    input.current?.focus()
  }
  const box = useBox(props, remove)
  const isFolded = !hasFocus && entries.length >= MANY && entries.every(isRecipient)
  useLastInSight(input, entries.length)
  const meant = useMeant(entries, (next) => onChange(next, typed))
  return (
    <Field isInline {...{ label, error, required, aside }} hint={meant}>
      {(control) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the chips goes into the box, as everywhere in a field
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box itself takes the keys
        <div
          onClick={() => input.current?.focus()}
          onFocus={() => setHasFocus(true)}
          onBlur={({ currentTarget, relatedTarget }) =>
            setHasFocus(currentTarget.contains(relatedTarget))
          }
          className={cn(
            'relative cursor-text rounded-control border border-control bg-surface focus-within:border-accent-ink focus-within:ring-3 focus-within:ring-accent/25',
            error && 'border-bad focus-within:ring-bad/25',
          )}
        >
          <div
            className={cn(
              'flex max-h-28 min-h-9.5 items-center gap-1 overflow-y-auto px-1.5 py-1 max-md:min-h-10.5',
              !isFolded && 'flex-wrap',
            )}
          >
            {isFolded ? (
              <Folded entries={entries} />
            ) : (
              entries.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same address may stand twice
                <Chip key={index} entry={entry} onRemove={() => remove(index)} />
              ))
            )}
            <input
              {...control}
              {...box.input}
              ref={input}
              value={typed}
              inputMode="email"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              className={cn(
                'h-7 min-w-6 flex-1 bg-transparent px-1.5 text-sm outline-none max-md:text-base',
                isFolded && 'max-w-6',
                typed !== '' && 'min-w-40',
              )}
            />
          </div>
          {box.suggestions}
        </div>
      )}
    </Field>
  )
}

/** What the keys and the typed text do, and the suggestions for it. */
function useBox(props: RecipientsFieldProps, remove: (index: number) => void) {
  const { mailboxId, entries, typed, onChange } = props
  const addEntries = (text: string) =>
    onChange(withoutRepeats([...entries, ...splitRecipients(text)]), '')
  const suggestions = useSuggestionList(mailboxId, typed, entries, (person) =>
    onChange([...entries, formatPerson(person)], ''),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || suggestions.press(event)) return
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && typed.trim() !== '') {
      event.preventDefault()
      addEntries(typed)
    } else if (event.key === 'Backspace' && typed === '' && entries.length > 0)
      remove(entries.length - 1)
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!/[,;\n]/.test(text.trim())) return
    event.preventDefault()
    addEntries(typed + text)
  }
  const onInput = ({ target }: ChangeEvent<HTMLInputElement>) =>
    /[,;]\s*$/.test(target.value) && splitRecipients(target.value).length > 0
      ? addEntries(target.value)
      : onChange([...entries], target.value)
  const onBlur = () => {
    suggestions.close()
    if (typed.trim() !== '') addEntries(typed)
  }
  return {
    input: {
      ...{ ...suggestions.aria, onKeyDown, onPaste, onChange: onInput },
      ...{ onFocus: suggestions.open, onBlur },
    },
    suggestions: suggestions.list,
  }
}

/** The box scrolls by itself: what was added last stays in sight. */
function useLastInSight(input: React.RefObject<HTMLInputElement | null>, count: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there are more or fewer
  useEffect(() => {
    if (document.activeElement === input.current)
      input.current?.scrollIntoView({ block: 'nearest' })
  }, [count])
}

/** All of them on one line. */
function Folded({ entries }: { entries: readonly string[] }) {
  return (
    <p className="flex min-w-0 flex-1 items-baseline gap-2 px-1.5 text-sm">
      <span className="shrink-0 font-medium">{entries.length} people</span>
      <span dir="auto" className="truncate text-soft">
        {entries.map((entry) => entry.replace(/\s*<[^<>]*>$/, '')).join(', ')}
      </span>
    </p>
  )
}

/** An entry that looks mistyped, and the question about it; leaving it is an answer, too. */
function useMeant(entries: readonly string[], onChange: (entries: string[]) => void) {
  const [kept, setKept] = useState<readonly string[]>([])
  const at = entries.findIndex((entry) => !kept.includes(entry) && meantAddress(entry) !== null)
  const entry = entries[at]
  const meant = entry === undefined ? null : meantAddress(entry)
  if (entry === undefined || meant === null) return undefined
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="wrap-anywhere">
        Did you mean {meant.domain}? You wrote {meant.written}.
      </span>
      <Button
        variant="link"
        size="inline"
        onClick={() => onChange(withoutRepeats(entries.with(at, meant.entry)))}
      >
        Change it
      </Button>
      <Button variant="link" size="inline" onClick={() => setKept([...kept, entry])}>
        Keep it
      </Button>
    </span>
  )
}

function Chip({ entry, onRemove }: { entry: string; onRemove: () => void }) {
  const isValid = isRecipient(entry)
  return (
    <span
      className={cn(
        'flex min-h-7 min-w-0 max-w-[calc(100%-1.75rem)] items-center gap-0.5 rounded-md pr-0.5 pl-2 text-sm',
        isValid ? 'bg-hover' : 'bg-bad-wash text-bad',
      )}
    >
      {/* Whole, on two lines where one is too short: whom it goes to is not to be guessed. */}
      <span dir="auto" className="wrap-anywhere line-clamp-6 leading-5">
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
