import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/form/field.tsx'
import { isRecipient, splitRecipients } from './people.ts'

type RecipientsFieldProps = {
  label: string
  entries: readonly string[]
  /** What stands in the box and is no entry yet. */
  typed: string
  onChange: (entries: string[], typed: string) => void
  error: string | undefined
  required?: boolean
  /** Takes the focus when it appears. */
  isFocused?: boolean
  aside?: React.ReactNode
}

/** Addresses as chips; what is typed becomes one at a comma, Enter, or when the field is left. */
export function RecipientsField(props: RecipientsFieldProps) {
  const {
    label,
    entries,
    typed,
    onChange,
    error,
    required = false,
    isFocused = false,
    aside,
  } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])
  const take = (text: string) => onChange([...entries, ...splitRecipients(text)], '')
  const remove = (index: number) => {
    onChange(entries.toSpliced(index, 1), typed)
    input.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && typed.trim() !== '') {
      event.preventDefault()
      take(typed)
    } else if (event.key === 'Backspace' && typed === '' && entries.length > 0)
      remove(entries.length - 1)
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!/[,;\n]/.test(text.trim())) return
    event.preventDefault()
    take(typed + text)
  }
  return (
    <Field label={label} error={error} required={required} aside={aside}>
      {(control) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the chips goes into the box, as everywhere in a field
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box itself takes the keys
        <div
          onClick={() => input.current?.focus()}
          className={cn(
            'flex min-h-10 cursor-text flex-wrap items-center gap-1 rounded-control border border-control bg-surface px-1.5 py-1 focus-within:border-accent-ink focus-within:ring-3 focus-within:ring-accent/25',
            error && 'border-bad focus-within:ring-bad/25',
          )}
        >
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same address may stand twice
            <Chip key={index} entry={entry} onRemove={() => remove(index)} />
          ))}
          <input
            {...control}
            ref={input}
            value={typed}
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onKeyDown={press}
            onPaste={paste}
            onChange={({ target }) =>
              /[,;]\s*$/.test(target.value) && splitRecipients(target.value).length > 0
                ? take(target.value)
                : onChange([...entries], target.value)
            }
            onBlur={() => typed.trim() !== '' && take(typed)}
            className="h-7 min-w-40 flex-1 bg-transparent px-1.5 text-sm outline-none max-md:text-base"
          />
        </div>
      )}
    </Field>
  )
}

function Chip({ entry, onRemove }: { entry: string; onRemove: () => void }) {
  const isRight = isRecipient(entry)
  return (
    <span
      className={cn(
        'flex h-7 min-w-0 max-w-full items-center gap-0.5 rounded-md pr-0.5 pl-2 text-sm',
        isRight ? 'bg-hover' : 'bg-bad-wash text-bad',
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
